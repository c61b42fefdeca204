"use client";

import { type MouseEvent, useMemo } from "react";
import { LIST_COLUMNS, type ListColumn } from "#components/lists/list-columns.ts";
import { useLatest } from "#components/ui/page/use-latest.ts";
import type { MessageSummary } from "#contracts/message/messages.ts";
import type { Selection } from "../list/selection.ts";
import type { HeldList } from "../list/use-message-list.ts";
import { MessageRow } from "./message-row.tsx";
import css from "./message-table.module.css";

interface MessageTableProps {
  outbox: string;
  list: HeldList;
  selection: Selection;
  currentId: string | undefined;
  columns: readonly ListColumn[];
  /** Beside the side panel. */
  narrow: boolean;
  hrefOf: (message: MessageSummary) => string;
  onSelect: (message: MessageSummary, range: boolean) => void;
  onSelectAll: (on: boolean) => void;
  onOpen: (message: MessageSummary, event: MouseEvent) => void;
}

const SKELETON_ROWS = 12;

const HEAD_CLASSES: Partial<Record<ListColumn, string | undefined>> = {
  ageSeconds: css.right,
  took: css.right,
  attempts: css.attemptsHead,
  lastError: css.noteHead,
};

/** 34 px rows; two lines each on a phone. */
export function MessageTable(props: MessageTableProps) {
  const { list, selection } = props;
  const { narrow, columns: chosen } = props;
  const columns = useMemo(() => (narrow ? withoutId(chosen) : chosen), [narrow, chosen]);
  const onSelect = useLatest(props.onSelect);
  const onOpen = useLatest(props.onOpen);
  const selectedHere = list.rows.filter((row) => selection.messages.has(row.message.id)).length;
  return (
    <table
      className={css.table}
      aria-busy={list.loading || undefined}
      data-narrow={props.narrow || undefined}
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
          {LIST_COLUMNS.filter(({ key }) => columns.includes(key)).map(({ key, label }) => (
            <th key={key} scope="col" className={HEAD_CLASSES[key]}>
              {label}
            </th>
          ))}
          <th scope="col" className={css.more}>
            <span className="visually-hidden">Copy</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {list.loading
          ? Array.from({ length: SKELETON_ROWS }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: skeleton rows are all alike
              <SkeletonRow key={index} columns={columns.length + 2} />
            ))
          : list.rows.map((row) => (
              <MessageRow
                key={row.message.id}
                outbox={props.outbox}
                row={row}
                asOf={list.list?.asOf}
                selected={selection.messages.has(row.message.id)}
                current={row.message.id === props.currentId}
                columns={columns}
                href={props.hrefOf(row.message)}
                onSelect={onSelect}
                onOpen={onOpen}
              />
            ))}
      </tbody>
    </table>
  );
}

/** The side panel shows the id; its column would leave too little space for the error. */
function withoutId(columns: readonly ListColumn[]): readonly ListColumn[] {
  const rest = columns.filter((column) => column !== "id");
  return rest.length === 0 ? columns : rest;
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
