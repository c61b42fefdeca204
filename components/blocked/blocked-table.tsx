"use client";

import Link from "next/link";
import { ActionButton } from "#components/action/action-button.tsx";
import { useServerNow } from "#components/live/use-now.ts";
import { Badge } from "#components/ui/badges/badge.tsx";
import { StateBadge } from "#components/ui/badges/state-badge.tsx";
import { GuardedButton } from "#components/ui/controls/guarded-button.tsx";
import { shortenId } from "#components/ui/format/shorten-id.ts";
import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import { Kbd } from "#components/ui/values/kbd.tsx";
import type { BlockedAggregate } from "#contracts/outbox/blocked.ts";
import { formatDuration } from "#domain/format.ts";
import css from "./blocked.module.css";
import { describeBehind, describeBlock, describeWaiting } from "./blocked-words.ts";
import type { BlockedModel } from "./use-blocked.ts";

/** Which aggregate, its head and error, how many wait, for how long, and the actions. */
export function BlockedTable({ page, rows }: { page: BlockedModel; rows: readonly BlockedAggregate[] | undefined }) {
  return (
    <DataTable
      caption="Blocked aggregates"
      columns={columnsOf(page)}
      rows={rows}
      rowKey={(row) => row.aggregateKey}
      currentKey={page.currentKey}
      onRowClick={(row) => page.setCurrent(row.aggregateKey)}
      rowProps={(row) => ({ "data-aggregate": row.aggregateKey, "data-testid": "blocked-aggregate" })}
      skeletonRows={6}
    />
  );
}

function columnsOf(page: BlockedModel): Column<BlockedAggregate>[] {
  return [
    {
      key: "aggregate",
      header: "Aggregate",
      width: "1%",
      hideOnPhone: true,
      cell: (row) => <Aggregate row={row} page={page} />,
    },
    { key: "head", header: "Held up by", width: "55%", clip: true, cell: (row) => <Head row={row} page={page} /> },
    {
      key: "waiting",
      header: "Wait behind",
      align: "right",
      hideOnPhone: true,
      cell: (row) => <span className={css.waiting}>{describeWaiting(row)}</span>,
    },
    { key: "since", header: "Blocked for", align: "right", hideOnPhone: true, cell: (row) => <For row={row} /> },
    {
      key: "actions",
      header: <span className="visually-hidden">Actions</span>,
      align: "right",
      hideOnPhone: true,
      cell: (row) => <Actions row={row} page={page} />,
    },
  ];
}

function Aggregate({ row, page }: { row: BlockedAggregate; page: BlockedModel }) {
  return (
    <Link className={`mono ${css.aggregate}`} href={page.messagesOf(row)} prefetch={false} title={row.aggregateKey}>
      {shortenId(row.aggregateKey, 22, 6)}
    </Link>
  );
}

function Head({ row, page }: { row: BlockedAggregate; page: BlockedModel }) {
  const { head } = row;
  const reason = describeBlock(row);
  return (
    <div className={css.head}>
      <span className={css.phone}>
        <Aggregate row={row} page={page} />
      </span>
      {head === null ? <Badge tone="neutral">paused</Badge> : <StateBadge state={head.state} />}
      {head !== null && (
        <Link className={css.type} href={page.href(`/messages/${encodeURIComponent(head.id)}`)} prefetch={false}>
          {head.eventType ?? shortenId(head.id, 8, 4)}
        </Link>
      )}
      <span className={css.reason} title={reason}>
        {reason}
      </span>
      <span className={css.phone}>
        <span className="muted">
          {describeBehind(row)}, blocked for <For row={row} />
        </span>
        <Actions row={row} page={page} />
      </span>
    </div>
  );
}

function For({ row }: { row: BlockedAggregate }) {
  const nowMs = useServerNow();
  const seconds = (nowMs - Date.parse(row.since)) / 1000;
  return (
    <span suppressHydrationWarning>
      {nowMs > 0 && seconds >= 0 ? formatDuration(seconds) : <Instant at={row.since} />}
    </span>
  );
}

function Actions({ row, page }: { row: BlockedAggregate; page: BlockedModel }) {
  const held = row.pauses.length > 0;
  const hold = held ? "resume" : "pause";
  const refusal = page.blockedBecause(hold, row);
  const isCurrent = page.currentKey === row.aggregateKey;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the row behind only becomes current
    // biome-ignore lint/a11y/useKeyWithClickEvents: the buttons inside take keys
    <span className={css.actions} onClick={(event) => event.stopPropagation()}>
      {row.head !== null &&
        (["retry", "dead-letter"] as const).map((action) => (
          <ActionButton
            key={action}
            action={action}
            label={action === "retry" ? "Retry head" : "Dead-letter head"}
            showKey={isCurrent}
            blocked={page.blockedBecause(action, row)}
            onRun={() => page.askFor(action, row)}
          />
        ))}
      <GuardedButton
        refusal={refusal}
        onRun={() => page.askFor(hold, row)}
        rightSection={isCurrent ? <Kbd>h</Kbd> : undefined}
      >
        {held ? "Resume" : "Pause"}
      </GuardedButton>
    </span>
  );
}
