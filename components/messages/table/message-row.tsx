"use client";

import Link from "next/link";
import { type MouseEvent, memo } from "react";
import type { ListColumn } from "#components/lists/list-columns.ts";
import type { MessageSummary } from "#contracts/message/messages.ts";
import type { ShownRow } from "../list/merge-page.ts";
import { CELL_CLASSES, linkColumn, MessageCell, titleOfCell } from "./message-cell.tsx";
import css from "./message-table.module.css";
import { RowMenu } from "./row-menu.tsx";

interface MessageRowProps {
  outbox: string;
  row: ShownRow;
  asOf: string | undefined;
  selected: boolean;
  current: boolean;
  columns: readonly ListColumn[];
  href: string;
  onSelect: (message: MessageSummary, range: boolean) => void;
  onOpen: (message: MessageSummary, event: MouseEvent) => void;
}

/** One cell is the row's link: Enter opens the page, a click elsewhere opens the side panel. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { row, selected, current, columns, onOpen } = props;
  const { message } = row;
  const link = linkColumn(columns);
  return (
    <tr
      className={css.row}
      data-selected={selected || undefined}
      data-current={current || undefined}
      data-gone={row.gone || undefined}
      data-testid="message-row"
      data-message-id={message.id}
      data-state={message.state}
      onClick={(event) => onOpen(message, event)}
    >
      <CheckCell {...props} />
      {columns.map((column) => (
        <td key={column} className={CELL_CLASSES[column]} title={titleOfCell(column, message)}>
          {column === link ? (
            <Link href={props.href} prefetch={false} data-row-link>
              <MessageCell column={column} message={message} gone={row.gone} asOf={props.asOf} />
            </Link>
          ) : (
            <MessageCell column={column} message={message} gone={row.gone} asOf={props.asOf} />
          )}
        </td>
      ))}
      <td className={css.more}>
        <RowMenu outbox={props.outbox} message={message} />
      </td>
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
        aria-label={`Select ${message.eventType || "message"} ${message.id}`}
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
