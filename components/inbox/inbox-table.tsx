"use client";

import { IconCheck, IconCircleHalf2, IconX } from "@tabler/icons-react";
import Link from "next/link";
import type { ShownRow } from "#components/messages/list/merge-page.ts";
import { outboxHref } from "#components/outbox/outbox-href.ts";
import { Badge } from "#components/ui/badges/badge.tsx";
import { shortenId } from "#components/ui/format/shorten-id.ts";
import { type Column, DataTable } from "#components/ui/page/data-table.tsx";
import { Age } from "#components/ui/values/age.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { InboxMessage, InboxSummary } from "#contracts/outbox/inboxes.ts";
import { filledColumns } from "./filled-columns.ts";
import css from "./inbox.module.css";

interface InboxTableProps {
  inbox: InboxSummary;
  rows: readonly ShownRow<InboxMessage>[] | undefined;
  asOf: string | undefined;
}

export function InboxTable({ inbox, rows, asOf }: InboxTableProps) {
  const filled = filledColumns(rows?.map(({ message }) => message));
  const columns = [...BASE, ...tailColumns(inbox, asOf)].filter((column) => filled.has(column.key));
  return (
    <DataTable
      caption={`Messages of the inbox ${inbox.name}`}
      columns={columns}
      rows={rows}
      rowKey={({ message }) => message.id}
      skeletonRows={10}
      rowProps={({ message, gone }) => ({
        className: gone ? css.gone : undefined,
        title: gone ? "No longer in this list" : undefined,
        "data-testid": "inbox-row",
        "data-state": message.state,
      })}
    />
  );
}

const ICON = { size: 12, stroke: 2.2, "aria-hidden": true } as const;

function StateBadge({ state }: Pick<InboxMessage, "state">) {
  switch (state) {
    case "processed":
      return (
        <Badge tone="neutral" icon={<IconCheck {...ICON} />}>
          processed
        </Badge>
      );
    case "failed":
      return (
        <Badge tone="bad" icon={<IconX {...ICON} />}>
          failed
        </Badge>
      );
    case "received":
      return <Badge icon={<IconCircleHalf2 {...ICON} />}>received, processing not tracked</Badge>;
    case "unprocessed":
      return <Badge icon={<IconCircleHalf2 {...ICON} />}>unprocessed</Badge>;
  }
}

const BASE: readonly Column<ShownRow<InboxMessage>>[] = [
  {
    key: "state",
    header: "State",
    cell: ({ message }) => <StateBadge state={message.state} />,
  },
  {
    key: "type",
    header: "Type",
    hideOnPhone: true,
    cell: ({ message }) => message.eventType ?? <span className="muted">–</span>,
  },
  {
    key: "consumer",
    header: "Consumer",
    hideOnPhone: true,
    cell: ({ message }) => message.consumer ?? <span className="muted">–</span>,
  },
];

function tailColumns(inbox: InboxSummary, asOf: string | undefined): Column<ShownRow<InboxMessage>>[] {
  return [
    {
      key: "message",
      header: "Message",
      width: "40%",
      cell: ({ message }) => <OutboxLink message={message} outbox={inbox.outbox} />,
    },
    {
      key: "received",
      header: "Received",
      align: "right",
      hideOnPhone: true,
      cell: ({ message }) => <Instant at={message.receivedAt} />,
    },
    {
      key: "processed",
      header: "Processed",
      align: "right",
      cell: ({ message }) => <Instant at={message.processedAt} />,
    },
    {
      key: "age",
      header: "Age",
      align: "right",
      hideOnPhone: true,
      cell: ({ message }) => (
        <Age seconds={message.ageSeconds} asOf={message.state === "unprocessed" ? asOf : undefined} />
      ),
    },
  ];
}

/** The message in its outbox, where the inbox is paired with one. */
function OutboxLink({ message, outbox }: { message: InboxMessage; outbox: string | null }) {
  const id = message.messageId ?? message.id;
  const words = <bdi>{shortenId(id, 18, 6)}</bdi>;
  if (outbox === null || message.messageId === null) {
    return (
      <span className="mono" title={id}>
        {words}
      </span>
    );
  }
  return (
    <Link
      className="link mono"
      title={id}
      prefetch={false}
      href={outboxHref(`/messages/${encodeURIComponent(message.messageId)}`, outbox)}
    >
      {words}
    </Link>
  );
}
