"use client";

import { useRouter } from "next/navigation";
import { type MouseEvent, useCallback, useRef } from "react";
import { ExportMenu } from "#components/lists/export-menu.tsx";
import { MessagePanel } from "#components/message/message-panel.tsx";
import { NoOutbox } from "#components/outbox/no-outbox.tsx";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { useShortcuts } from "#components/shortcuts/use-shortcuts.ts";
import { lazyDialog } from "#components/ui/lazy/lazy-dialog.tsx";
import { SilenceNote } from "#components/ui/notices/silence-note.tsx";
import { PHONE } from "#components/ui/page/phone.ts";
import type { MessageSummary } from "#contracts/message/messages.ts";
import { ColumnsButton } from "./columns/columns-button.tsx";
import { type MessagesPageModel, useMessagesPage } from "./list/use-messages-page.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { StateTabs } from "./state-tabs.tsx";
import css from "./table/list-panel.module.css";
import { ListPanel } from "./table/list-panel.tsx";
import { FilterBar } from "./toolbar/filter-bar.tsx";
import { useListKeys } from "./use-list-keys.ts";
import { ViewsButton } from "./views/views-button.tsx";

const OperationDialog = lazyDialog(() =>
  import("#components/action/operation-dialog.tsx").then((module) => module.OperationDialog),
);
const PreviewDialog = lazyDialog(() =>
  import("#components/operations/preview/preview-dialog.tsx").then((module) => module.PreviewDialog),
);

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
  const { eventType } = filters.fields;
  useShortcuts([
    { key: "l", description: "Watch live", group: "The list", run: () => router.push(href("/live", { eventType })) },
  ]);

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
    const acted = page.ask?.messages.map((message) => message.id) ?? [];
    page.closeAsk();
    if (changed) list.dropGone(acted);
    // The button that opened the dialog may disappear with the selection; then the focus moves to the list.
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
  return (
    <>
      <h1 className="visually-hidden">Messages</h1>
      <StateTabs filters={filters} counts={page.counts} hrefOf={page.hrefOf} onChoose={page.setFilters} />
      <div className={css.toolbar} data-selecting={page.selected.length > 0 || undefined}>
        <div className={css.tools}>
          <FilterBar filters={filters} onChange={page.setFilters} />
          {name === undefined ? <span className={css.listTools} /> : <ListTools outbox={name} page={page} />}
        </div>
        {page.selected.length > 0 && <SelectionBar page={page} />}
      </div>
      {list.error !== null && (
        <div className={css.error}>
          <SilenceNote
            title="The messages could not be read."
            error={list.error}
            asOf={list.list?.asOf}
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
          <ListPanel outbox={name ?? ""} page={page} pathOf={pathOf} onOpen={open} />
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
      {page.everything.ask !== undefined && name !== undefined && (
        <PreviewDialog outbox={name} ask={page.everything.ask} onClose={page.everything.closeAsk} />
      )}
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

function ListTools({ outbox, page }: { outbox: string; page: MessagesPageModel }) {
  const { filters, columns, list } = page;
  return (
    <span className={css.listTools}>
      <ViewsButton outbox={outbox} page={page} />
      <ColumnsButton columns={columns} />
      <ExportMenu outbox={outbox} filters={filters} columns={columns.shown} matching={list.list?.matching} />
    </span>
  );
}
