"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { MessageTab } from "#components/filters/message-filters.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { messagesQuery } from "#components/messages/list/messages-query.ts";
import { describeAttempts, describeRow } from "#components/messages/table/row-note.ts";
import { formatMatching } from "#components/operations/preview/preview-words.ts";
import { outboxHref } from "#components/outbox/outbox-href.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { StateBadge } from "#components/ui/badges/state-badge.tsx";
import { shortenId } from "#components/ui/format/shorten-id.ts";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { RowAge } from "#components/ui/values/age.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import { TypeName } from "#components/ui/values/type-name.tsx";
import type { FailureGroup, MessageList, MessageSummary } from "#contracts/message/messages.ts";
import css from "./group.module.css";
import { retryOf } from "./group-selection.ts";

const SHOWN = 8;
const PACE_MS = 5_000;

/** The first messages of the group; the list has them all. */
export function GroupMessages({ outbox, group }: { outbox: string; group: FailureGroup }) {
  const { href } = useOutbox();
  const { state = "failed", ...fields } = group.filter;
  const tab = (retryOf(group)?.filter.state ?? state) as MessageTab;
  const options = messagesQuery({ outbox, filters: { state: tab, fields }, cursor: undefined, limit: SHOWN });
  const error = useFailure(options.queryKey);
  const { data } = useQuery({
    ...options,
    ...liveOptions(useLive(), { atLeastMs: PACE_MS }),
    enabled: group.selects,
  });
  return (
    <Panel
      flush
      title="Messages"
      aside={
        <>
          {data !== undefined && `${extentOf(data)} · `}
          <Link className={css.more} href={href("/messages", { ...group.filter, state: tab })}>
            open as a list
          </Link>
        </>
      }
    >
      {!group.selects ? (
        <EmptyState small title="No filter finds these messages alone.">
          The list shows them with the others that have failed or are dead.
        </EmptyState>
      ) : error !== null && data === undefined ? (
        <ErrorNote tone="warn" title="The messages could not be read." error={error} />
      ) : data?.messages.length === 0 ? (
        <EmptyState small title="None at this moment." />
      ) : (
        <DataTable
          caption="Messages of the group"
          columns={columnsOf(outbox)}
          rows={data?.messages}
          rowKey={(message) => message.id}
          skeletonRows={SHOWN}
        />
      )}
    </Panel>
  );
}

function extentOf({ messages, matching }: MessageList): string {
  return matching.precision === "unknown"
    ? `the first ${messages.length}`
    : `${messages.length} of ${formatMatching(matching)}`;
}

function columnsOf(outbox: string): Column<MessageSummary>[] {
  return [
    { key: "state", header: "State", width: "1%", cell: (message) => <StateBadge state={message.state} /> },
    {
      key: "type",
      header: "Type",
      cell: (message) => (
        <Link
          className={css.message}
          prefetch={false}
          href={outboxHref(`/messages/${encodeURIComponent(message.id)}`, outbox)}
        >
          {message.eventType === null ? <span className="muted">no type</span> : <TypeName name={message.eventType} />}
        </Link>
      ),
    },
    {
      key: "aggregate",
      header: "Aggregate",
      cell: (message) =>
        message.aggregateId === null ? (
          <span className="muted">–</span>
        ) : (
          <span className="mono" title={message.aggregateId}>
            {shortenId(message.aggregateId, 16, 6)}
          </span>
        ),
    },
    {
      key: "age",
      header: "Age",
      align: "right",
      hideOnPhone: true,
      cell: (message) => <RowAge seconds={message.ageSeconds} />,
    },
    { key: "attempts", header: "Attempts", align: "right", hideOnPhone: true, cell: describeAttempts },
    {
      key: "next",
      header: "Next attempt",
      align: "right",
      hideOnPhone: true,
      cell: (message) => <Instant at={message.state === "failed" ? message.nextAttemptAt : null} />,
    },
    {
      key: "error",
      header: "Last error",
      clip: true,
      width: "40%",
      hideOnPhone: true,
      cell: (message) => <span title={message.lastError ?? undefined}>{describeRow(message, 0)}</span>,
    },
  ];
}
