"use client";

import type { MouseEvent } from "react";
import type { MessageSummary } from "#contracts/messages.ts";
import { MessageRow } from "./message-row.tsx";
import css from "./message-table.module.css";
import type { Selection } from "./selection.ts";
import type { HeldList } from "./use-message-list.ts";

interface MessageTableProps {
  list: HeldList;
  selection: Selection;
  currentId: string | undefined;
  /** The id column is hidden while the side panel shows the id. */
  showId: boolean;
  hrefOf: (message: MessageSummary) => string;
  onSelect: (message: MessageSummary, range: boolean) => void;
  onSelectAll: (on: boolean) => void;
  onOpen: (message: MessageSummary, event: MouseEvent) => void;
}

const SKELETON_ROWS = 12;

/** 34 px rows; two lines each on a phone. */
export function MessageTable(props: MessageTableProps) {
  const { list, selection, showId } = props;
  const columns = showId ? 8 : 7;
  const selectedHere = list.rows.filter((row) => selection.messages.has(row.message.id)).length;
  return (
    <table
      className={css.table}
      aria-busy={list.loading || undefined}
      data-narrow={!showId || undefined}
      data-testid="message-table"
    >
      <caption className="visually-hidden">Messages</caption>
      <thead>
        <tr>
          <th scope="col" className={css.check}>
            <SelectAll
              all={selectedHere > 0 && selectedHere === list.rows.length}
              some={selectedHere > 0}
              onChange={props.onSelectAll}
            />
          </th>
          <th scope="col">State</th>
          <th scope="col">Type</th>
          <th scope="col">Aggregate</th>
          <th scope="col" className={css.right}>
            Age
          </th>
          <th scope="col" className={css.right}>
            Attempts
          </th>
          <th scope="col" className={css.noteHead}>
            Last error
          </th>
          {showId && <th scope="col">Id</th>}
        </tr>
      </thead>
      <tbody>
        {list.loading
          ? Array.from({ length: SKELETON_ROWS }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: skeleton rows are all alike
              <SkeletonRow key={index} columns={columns} />
            ))
          : list.rows.map((row) => (
              <MessageRow
                key={row.message.id}
                row={row}
                asOf={list.list?.asOf}
                selected={selection.messages.has(row.message.id)}
                current={row.message.id === props.currentId}
                showId={showId}
                href={props.hrefOf(row.message)}
                onSelect={props.onSelect}
                onOpen={props.onOpen}
              />
            ))}
      </tbody>
    </table>
  );
}

function SelectAll({ all, some, onChange }: { all: boolean; some: boolean; onChange: (on: boolean) => void }) {
  return (
    <input
      type="checkbox"
      aria-label="Select all rows shown"
      checked={all}
      ref={(box) => {
        if (box) box.indeterminate = some && !all;
      }}
      onChange={() => onChange(!all)}
    />
  );
}

function SkeletonRow({ columns }: { columns: number }) {
  return (
    <tr aria-hidden className={css.skeleton}>
      {Array.from({ length: columns }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cells never move
        <td key={index}>
          <span />
        </td>
      ))}
    </tr>
  );
}
