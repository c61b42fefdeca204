"use client";

import type { MouseEvent } from "react";
import { Paging } from "#components/lists/paging.tsx";
import type { MessageSummary } from "#contracts/message/messages.ts";
import type { MessagesPageModel } from "../list/use-messages-page.ts";
import css from "./list-panel.module.css";
import { MessageTable } from "./message-table.tsx";
import { ResultLine } from "./result-line.tsx";
import { TabEmpty } from "./tab-empty.tsx";

/** Rows beyond which the end of the list is far from its head. */
const LONG = 15;

interface ListPanelProps {
  outbox: string;
  page: MessagesPageModel;
  pathOf: (message: MessageSummary) => string;
  onOpen: (message: MessageSummary, event: MouseEvent) => void;
}

/** Which part of the list is shown, the steps to others, and the rows. */
export function ListPanel({ outbox, page, pathOf, onOpen }: ListPanelProps) {
  const { list, filters, currentId } = page;
  const rows = () => list.rows.map((row) => row.message);
  const beside = currentId !== undefined;
  const empty = !list.loading && list.rows.length === 0 && list.error === null;
  return (
    <>
      <div className={css.head}>
        <ResultLine list={list} figure={page.counts[page.filters.state]} first={page.first} />
        <Paging {...page.paging} />
      </div>
      {!empty && list.list?.unread && <p className={css.unread}>{list.list.unread}</p>}
      {empty ? (
        <TabEmpty
          filters={filters}
          list={list}
          figure={page.counts[filters.state]}
          later={page.cursor !== undefined}
          onFirst={() => page.paging.onGo(undefined, undefined)}
          onClear={() => page.setFilters({ ...filters, fields: {}, last: undefined })}
        />
      ) : (
        <MessageTable
          outbox={outbox}
          list={list}
          selection={page.selection}
          currentId={currentId}
          columns={page.columns.shown}
          narrow={beside}
          hrefOf={pathOf}
          onSelect={(message, range) =>
            page.select(range ? { type: "range", to: message, rows: rows() } : { type: "toggle", message })
          }
          onSelectAll={(on) => page.select(on ? { type: "add", rows: rows() } : { type: "clear" })}
          onOpen={onOpen}
        />
      )}
      <div className={list.rows.length > LONG ? undefined : css.short}>
        <Paging {...page.paging} label="Pages of the list, below it" />
      </div>
    </>
  );
}
