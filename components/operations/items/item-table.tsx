"use client";

import Link from "next/link";
import { outboxHref } from "#components/outbox/outbox-href.ts";
import { shortenId } from "#components/ui/format/shorten-id.ts";
import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import { TypeName } from "#components/ui/values/type-name.tsx";
import type { Operation, OperationItem } from "#contracts/message/operations.ts";
import css from "../operation.module.css";
import { OutcomeBadge } from "./outcome-looks.tsx";

/** Items in the order of the work: outcome, message, when, and why. */
export function ItemTable({
  outbox,
  action,
  items,
}: {
  outbox: string;
  action: Operation["action"];
  items: readonly OperationItem[] | undefined;
}) {
  return (
    <DataTable
      caption="Items"
      columns={columnsOf(outbox, action)}
      rows={items}
      rowKey={(item) => String(item.seq)}
      skeletonRows={8}
    />
  );
}

function columnsOf(outbox: string, action: Operation["action"]): Column<OperationItem>[] {
  return [
    {
      key: "outcome",
      header: "Outcome",
      width: "1%",
      cell: (item) => <OutcomeBadge outcome={item.outcome ?? "left"} action={action} />,
    },
    {
      key: "type",
      header: "Message",
      cell: (item) => (
        <>
          <Link
            className={css.message}
            prefetch={false}
            href={outboxHref(`/messages/${encodeURIComponent(item.id)}`, outbox)}
            title={item.id}
          >
            {item.eventType === null ? (
              <span className="mono">{shortenId(item.id)}</span>
            ) : (
              <TypeName name={item.eventType} />
            )}
          </Link>
          <span className={css.phone}>{phoneNote(item)}</span>
        </>
      ),
    },
    {
      key: "aggregate",
      header: "Aggregate",
      hideOnPhone: true,
      cell: (item) =>
        item.aggregateId === null ? (
          <span className="muted">–</span>
        ) : (
          <span className="mono" title={item.aggregateId}>
            {shortenId(item.aggregateId, 16, 6)}
          </span>
        ),
    },
    { key: "at", header: "At", align: "right", cell: (item) => <Instant at={item.settledAt ?? item.actedAt} /> },
    {
      key: "why",
      header: "Why",
      width: "60%",
      clip: true,
      hideOnPhone: true,
      cell: (item) =>
        item.message === null ? <span className="muted">–</span> : <span title={item.message}>{item.message}</span>,
    },
  ];
}

/** Why it did not go well; where it did, of which aggregate it is. */
function phoneNote({ outcome, message, aggregateId }: OperationItem): string | null {
  const well = outcome === null || outcome === "released" || outcome === "published" || outcome === "done";
  return well ? aggregateId : (message ?? aggregateId);
}
