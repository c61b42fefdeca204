"use client";

import Link from "next/link";
import { memo } from "react";
import { buildPath } from "#components/api/api-client.ts";
import { CELL_CLASSES, MessageCell, titleOfCell } from "#components/messages/table/message-cell.tsx";
import table from "#components/messages/table/message-table.module.css";
import { RowMenu } from "#components/messages/table/row-menu.tsx";
import { outboxHref } from "#components/outbox/outbox-href.ts";
import { formatBothClocks, formatUtcInFull } from "#components/ui/format/format-instant.ts";
import { Instant } from "#components/ui/values/instant.tsx";
import { formatCount } from "#domain/format.ts";
import css from "./tail.module.css";
import { formatHeld } from "./tail-head.tsx";
import { countOf, MOST_KEPT, type TailEntry } from "./tail-state.ts";
import type { Tail } from "./use-tail.ts";

const COLUMNS = [
  { key: "state", label: "State" },
  { key: "createdAt", label: "Created" },
  { key: "eventType", label: "Type" },
  { key: "aggregateId", label: "Aggregate" },
  { key: "took", label: "Took" },
  { key: "attempts", label: "Attempts" },
  { key: "lastError", label: "Last error" },
  { key: "id", label: "Id" },
] as const;
const WIDTH = COLUMNS.length + 1;
const SKELETON_ROWS = 12;

interface TailTableProps {
  outbox: string;
  eventType: string | undefined;
  tail: Tail;
}

export function TailTable({ outbox, eventType, tail }: TailTableProps) {
  const { shown, held, asOf, paused } = tail.state;
  return (
    <table
      className={`${table.table} ${css.table}`}
      data-testid="tail"
      aria-busy={asOf === undefined || undefined}
      onFocusCapture={() => tail.pause("because you are in the list")}
    >
      <caption className="visually-hidden">Messages as they arrive</caption>
      <thead>
        <tr>
          {COLUMNS.map(({ key, label }) => (
            <th
              key={key}
              scope="col"
              className={
                key === "took" || key === "attempts" ? table.right : key === "lastError" ? table.noteHead : undefined
              }
            >
              {label}
            </th>
          ))}
          <th scope="col" className={table.more}>
            <span className="visually-hidden">Copy</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {asOf === undefined &&
          // biome-ignore lint/suspicious/noArrayIndexKey: skeleton rows are all alike
          Array.from({ length: SKELETON_ROWS }, (_, row) => <SkeletonRow key={row} />)}
        {paused !== null && held.length > 0 && (
          <tr className={css.held}>
            <td colSpan={WIDTH}>
              {formatHeld(countOf(held))} since <Instant at={paused.at} /> UTC
            </td>
          </tr>
        )}
        {shown.map((entry) =>
          entry.kind === "gap" ? (
            <GapRow key={`gap ${entry.key}`} entry={entry} outbox={outbox} eventType={eventType} />
          ) : (
            <TailRow key={entry.message.id} entry={entry} outbox={outbox} />
          ),
        )}
        {shown.length === MOST_KEPT && (
          <tr className={css.gap}>
            <td colSpan={WIDTH}>
              The newest {MOST_KEPT} are kept here.{" "}
              <Link
                className="link"
                href={buildPath("/messages", { outbox, state: "all", eventType })}
                prefetch={false}
              >
                Open the list
              </Link>
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

interface TailRowProps {
  entry: Extract<TailEntry, { kind: "message" }>;
  outbox: string;
}

const TailRow = memo(function TailRow({ entry, outbox }: TailRowProps) {
  const { message, gone, fresh, readAt } = entry;
  const href = outboxHref(`/messages/${encodeURIComponent(message.id)}`, outbox);
  const old =
    readAt === null || gone ? undefined : `As read at ${formatUtcInFull(readAt)} UTC; newer messages came since`;
  return (
    <tr
      className={`${table.row} ${css.row}`}
      data-testid="tail-row"
      data-message-id={message.id}
      data-state={message.state}
      data-fresh={fresh || undefined}
      data-old={old === undefined ? undefined : true}
      title={old}
    >
      {COLUMNS.map(({ key }) => (
        <td
          key={key}
          className={key === "createdAt" ? css.created : CELL_CLASSES[key]}
          title={titleOfCell(key, message)}
        >
          {key === "createdAt" ? (
            <Created at={message.createdAt} />
          ) : key === "lastError" && gone ? (
            "left the table"
          ) : key === "eventType" ? (
            <Link href={href} prefetch={false} data-row-link>
              <MessageCell column={key} message={message} gone={gone} asOf={undefined} />
            </Link>
          ) : (
            <MessageCell column={key} message={message} gone={gone} asOf={undefined} />
          )}
        </td>
      ))}
      <td className={table.more}>
        <RowMenu outbox={outbox} message={message} />
      </td>
    </tr>
  );
});

/** With milliseconds: many messages arrive in one second. */
function Created({ at }: { at: string | null }) {
  const date = new Date(at ?? "");
  if (at === null || Number.isNaN(date.getTime())) return <span className="muted">–</span>;
  return (
    <time dateTime={at} title={formatBothClocks(at)}>
      {date.toISOString().slice(11, 23)}
    </time>
  );
}

interface GapRowProps extends Pick<TailTableProps, "outbox" | "eventType"> {
  entry: Extract<TailEntry, { kind: "gap" }>;
}

function GapRow({ entry, outbox, eventType }: GapRowProps) {
  const { skipped, from, to } = entry;
  const path = buildPath("/messages", { outbox, state: "all", eventType, from, to });
  return (
    <tr className={css.gap} data-testid="tail-gap">
      <td colSpan={WIDTH}>
        {skipped === null
          ? "More messages came than are shown here; they were not counted."
          : `${formatCount(skipped)} not shown.`}{" "}
        {from !== undefined && (
          <Link className="link" href={path} prefetch={false}>
            Open them
          </Link>
        )}
      </td>
    </tr>
  );
}

function SkeletonRow() {
  return (
    <tr aria-hidden className={table.skeleton}>
      {Array.from({ length: WIDTH }, (_, cell) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cells never move
        <td key={cell}>
          <span />
        </td>
      ))}
    </tr>
  );
}
