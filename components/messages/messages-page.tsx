"use client";

import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { type MouseEvent, useCallback, useRef } from "react";
import { MessagePanel } from "#components/message/message-panel.tsx";
import { NoOutbox } from "#components/shell/no-outbox.tsx";
import { useOutbox } from "#components/shell/use-outbox.ts";
import { SilenceNote } from "#components/ui/silence-note.tsx";
import type { MessageSummary } from "#contracts/messages.ts";
import { FilterBar } from "./filter-bar.tsx";
import { MessageTable } from "./message-table.tsx";
import css from "./messages-page.module.css";
import { Paging } from "./paging.tsx";
import { ResultLine } from "./result-line.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { StateTabs } from "./state-tabs.tsx";
import { TabEmpty } from "./tab-empty.tsx";
import { useListKeys } from "./use-list-keys.ts";
import { useMessagesPage } from "./use-messages-page.ts";

const OperationDialog = dynamic(() =>
  import("#components/message/operation-dialog.tsx").then((module) => module.OperationDialog),
);
const PHONE = "(max-width: 760px)";

/** Tabs, filters, the list, and the open message in a side panel. */
export function MessagesPage() {
  const { name, href, isPending } = useOutbox();
  const page = useMessagesPage(name);
  const router = useRouter();
  const region = useRef<HTMLDivElement>(null);
  const { list, currentId, filters } = page;

  const focusRow = useCallback((id: string) => {
    const link = region.current?.querySelector<HTMLElement>(`[data-message-id="${CSS.escape(id)}"] [data-row-link]`);
    link?.focus({ preventScroll: true });
    link?.scrollIntoView({ block: "nearest" });
  }, []);
  useListKeys(page, focusRow);

  const pathOf = (message: MessageSummary) => href(`/messages/${encodeURIComponent(message.id)}`);

  function open(message: MessageSummary, event: MouseEvent) {
    // With a modifier key, or by Enter on the link (a click without a pointer), the link behaves as a link.
    const onLink = event.target instanceof Element && event.target.closest("a") !== null;
    if (onLink && (event.metaKey || event.ctrlKey || event.shiftKey || event.detail === 0)) return;
    if (window.getSelection()?.type === "Range") return;
    event.preventDefault();
    if (window.matchMedia(PHONE).matches) return router.push(pathOf(message));
    page.open(message.id);
    focusRow(message.id);
  }

  function closeAsk(changed: boolean) {
    page.closeAsk();
    if (changed) list.dropGone();
    // The button that opened the dialog disappears with the selection, so the focus moves to the list.
    window.setTimeout(() => document.activeElement === document.body && region.current?.focus());
  }

  if (name === undefined && !isPending) {
    return (
      <>
        <h1 className="visually-hidden">Messages</h1>
        <NoOutbox />
      </>
    );
  }
  const empty = !list.loading && list.rows.length === 0 && list.error === null;
  return (
    <>
      <h1 className="visually-hidden">Messages</h1>
      <StateTabs filters={filters} counts={page.counts} hrefOf={page.hrefOf} onChoose={page.setFilters} />
      <div className={css.toolbar} data-selecting={page.selected.length > 0 || undefined}>
        <div className={css.tools}>
          <FilterBar filters={filters} onChange={page.setFilters} />
          <ResultLine list={list} />
        </div>
        {page.selected.length > 0 && <SelectionBar page={page} />}
      </div>
      {list.error !== null && (
        <div className={css.error}>
          <SilenceNote
            title="The messages could not be read."
            error={list.error}
            asOf={list.list?.asOf}
            receivedMs={list.receivedMs}
            onRetry={list.retry}
          />
        </div>
      )}
      <div
        className={css.split}
        hidden={list.error !== null && list.rows.length === 0}
        data-open={currentId !== undefined || undefined}
      >
        <div className={list.error === null ? css.list : `${css.list} last-known`} ref={region} tabIndex={-1}>
          {empty ? (
            <TabEmpty filters={filters} list={list} onClear={() => page.setFilters({ ...filters, fields: {} })} />
          ) : (
            <MessageTable
              list={list}
              selection={page.selection}
              currentId={currentId}
              showId={currentId === undefined}
              hrefOf={pathOf}
              onSelect={(message, range) =>
                page.select(
                  range
                    ? { type: "range", to: message, rows: list.rows.map((row) => row.message) }
                    : { type: "toggle", message },
                )
              }
              onSelectAll={(on) =>
                page.select(on ? { type: "add", rows: list.rows.map((row) => row.message) } : { type: "clear" })
              }
              onOpen={open}
            />
          )}
          <Paging cursor={page.cursor} nextCursor={list.list?.nextCursor ?? null} onGo={page.goToPage} />
        </div>
        {currentId !== undefined && name !== undefined && (
          <MessagePanel
            key={currentId}
            outbox={name}
            id={currentId}
            scope={page.scope}
            onAsk={page.askFor}
            onClose={() => page.open(undefined)}
          />
        )}
      </div>
      {page.ask !== undefined && name !== undefined && (
        <OperationDialog
          outbox={name}
          ask={page.ask}
          scope={page.scope}
          onAnswer={() => page.select({ type: "clear" })}
          onClose={closeAsk}
        />
      )}
    </>
  );
}
