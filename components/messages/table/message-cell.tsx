"use client";

import type { ListColumn } from "#components/lists/list-columns.ts";
import { useServerNow } from "#components/live/use-now.ts";
import { StateBadge } from "#components/ui/badges/state-badge.tsx";
import { clipWords } from "#components/ui/format/clip-words.ts";
import { shortenId } from "#components/ui/format/shorten-id.ts";
import { RowAge } from "#components/ui/values/age.tsx";
import { Breakable } from "#components/ui/values/breakable.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import { TypeName } from "#components/ui/values/type-name.tsx";
import type { MessageSummary } from "#contracts/message/messages.ts";
import { formatDuration } from "#domain/format.ts";
import css from "./message-table.module.css";
import { describeAttempts, describeRow } from "./row-note.ts";

/** Classes of a column's cells. A phone shows only those with a place in its two lines. */
export const CELL_CLASSES: Record<ListColumn, string | undefined> = {
  state: css.state,
  createdAt: css.instant,
  eventType: css.type,
  aggregateType: css.plain,
  aggregateId: css.aggregate,
  ageSeconds: css.age,
  took: css.took,
  attempts: css.attempts,
  publishedAt: css.instant,
  availableAt: css.instant,
  nextAttemptAt: css.instant,
  archivedAt: css.instant,
  rawStatus: css.plain,
  lastErrorCode: css.plain,
  blockedBy: css.id,
  lastError: css.note,
  id: css.id,
};

interface MessageCellProps {
  column: ListColumn;
  message: MessageSummary;
  /** The row left the list, which it says instead of its error. */
  gone: boolean;
  asOf: string | undefined;
}

/** The column whose cell is the row's link: the type, or else the id, or else the first. */
export function linkColumn(columns: readonly ListColumn[]): ListColumn | undefined {
  return (["eventType", "id"] as const).find((column) => columns.includes(column)) ?? columns[0];
}

/** Contents of one cell. */
export function MessageCell({ column, message, gone, asOf }: MessageCellProps) {
  switch (column) {
    case "state":
      return <StateBadge state={message.state} />;
    case "eventType":
      return message.eventType ? <TypeName name={message.eventType} /> : <span className="muted">no type</span>;
    case "aggregateId":
      return <Short text={message.aggregateId} head={16} tail={6} />;
    case "ageSeconds":
      return <RowAge seconds={message.ageSeconds} asOf={isWaiting(message) && !gone ? asOf : undefined} />;
    case "took":
      return <Took message={message} />;
    case "attempts":
      return describeAttempts(message);
    case "lastError":
      return gone ? "no longer in this list" : <Note message={message} />;
    case "createdAt":
    case "publishedAt":
    case "availableAt":
    case "nextAttemptAt":
    case "archivedAt":
      return <Instant at={message[column]} />;
    case "id":
      return shortenId(message.id);
    case "blockedBy":
      return <Short text={message.blockedBy} />;
    default:
      return message[column] ?? <span className="muted">–</span>;
  }
}

export function titleOfCell(column: ListColumn, message: MessageSummary): string | undefined {
  const shortened = column === "eventType" || column === "aggregateId" || column === "id" || column === "blockedBy";
  return shortened ? (message[column] ?? undefined) : undefined;
}

function Short({ text, head, tail }: { text: string | null; head?: number; tail?: number }) {
  return text ? shortenId(text, head, tail) : <span className="muted">–</span>;
}

/** From creation to publication, by the table's own times. */
function Took({ message: { createdAt, publishedAt } }: { message: MessageSummary }) {
  const ms = Date.parse(publishedAt ?? "") - Date.parse(createdAt ?? "");
  if (Number.isNaN(ms) || ms < 0) return <span className="muted">–</span>;
  return ms < 1000 ? `${Math.round(ms)} ms` : formatDuration(ms / 1000);
}

/** Three lines on a phone; the title and the message's page contain the full text. */
const NOTE_CHARACTERS = 160;

function Note({ message }: { message: MessageSummary }) {
  const nowMs = useServerNow();
  const text = describeRow(message, nowMs);
  return (
    <span title={message.lastError ?? text}>
      <Breakable text={clipWords(text, NOTE_CHARACTERS)} />
    </span>
  );
}

function isWaiting(message: MessageSummary): boolean {
  return message.state === "pending" || message.state === "failed" || message.state === "in_flight";
}
