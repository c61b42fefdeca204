"use client";

import Link from "next/link";
import { type MouseEvent, memo } from "react";
import { useServerNow } from "#components/live/use-now.ts";
import { Age } from "#components/ui/age.tsx";
import { Breakable } from "#components/ui/breakable.tsx";
import { clipWords } from "#components/ui/clip-words.ts";
import { shortenId } from "#components/ui/shorten-id.ts";
import { StateBadge } from "#components/ui/state-badge.tsx";
import type { MessageSummary } from "#contracts/messages.ts";
import type { ShownRow } from "./merge-page.ts";
import css from "./message-table.module.css";
import { describeAttempts, describeRow } from "./row-note.ts";

interface MessageRowProps {
  row: ShownRow;
  asOf: string | undefined;
  selected: boolean;
  current: boolean;
  showId: boolean;
  href: string;
  onSelect: (message: MessageSummary, range: boolean) => void;
  onOpen: (message: MessageSummary, event: MouseEvent) => void;
}

/** The type is the row's link: Enter opens the page, a click elsewhere in the row opens the side panel. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { row, selected, current, onOpen } = props;
  const { message } = row;
  return (
    <tr
      className={css.row}
      aria-selected={selected}
      data-current={current || undefined}
      data-gone={row.gone || undefined}
      data-testid="message-row"
      data-message-id={message.id}
      data-state={message.state}
      onClick={(event) => onOpen(message, event)}
    >
      <CheckCell {...props} />
      <td className={css.state}>
        <StateBadge state={message.state} />
      </td>
      <td className={css.type}>
        <Link href={props.href} prefetch={false} data-row-link title={message.eventType ?? undefined}>
          {message.eventType || <span className="muted">no type</span>}
        </Link>
      </td>
      <td className={css.aggregate} title={message.aggregateId ?? undefined}>
        {message.aggregateId ? shortenId(message.aggregateId, 16, 6) : <span className="muted">–</span>}
      </td>
      <td className={css.age}>
        <Age seconds={message.ageSeconds} asOf={isWaiting(message) && !row.gone ? props.asOf : undefined} />
      </td>
      <td className={css.attempts}>{describeAttempts(message)}</td>
      <td className={css.note}>{row.gone ? "no longer in this list" : <Note message={message} />}</td>
      {props.showId && (
        <td className={css.id} title={message.id}>
          {shortenId(message.id)}
        </td>
      )}
    </tr>
  );
});

function CheckCell({ row, selected, onSelect }: MessageRowProps) {
  const { message } = row;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the cell only makes the checkbox inside easier to hit
    <td
      className={css.check}
      onClick={(event) => {
        event.stopPropagation();
        onSelect(message, event.shiftKey);
      }}
    >
      <input
        type="checkbox"
        aria-label={`Select ${message.eventType ?? "message"} ${message.id}`}
        checked={selected}
        readOnly
        onClick={(event) => {
          event.stopPropagation();
          onSelect(message, event.shiftKey);
        }}
      />
    </td>
  );
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
