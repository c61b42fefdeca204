"use client";

import { copyMessage } from "#components/copy/message-copies.ts";
import { linkOf } from "#components/lists/export-menu.tsx";
import { usePageSteps } from "#components/lists/paging.tsx";
import { pressTool } from "#components/lists/tool-button.tsx";
import { useShortcuts } from "#components/shortcuts/use-shortcuts.ts";
import { tellRefusal } from "#components/ui/notices/toast.ts";
import { listTabs } from "./list/tabs.ts";
import type { MessagesPageModel } from "./list/use-messages-page.ts";

const GROUP = "Messages";
const VIEW = "The list";
const NONE_OPEN = "Open a message first: j opens the next one.";

/** The list's keys. Enter is left to the browser, since the row's link has the focus. */
export function useListKeys(page: MessagesPageModel, focusRow: (id: string) => void): void {
  const rows = page.list.rows.map((row) => row.message);

  function currentIndex(): number {
    const id = page.readCurrentId();
    return rows.findIndex((message) => message.id === id);
  }

  function move(step: 1 | -1): void {
    const index = currentIndex();
    const next = rows[index < 0 ? (step === 1 ? 0 : rows.length - 1) : index + step];
    if (next === undefined) return;
    page.open(next.id);
    focusRow(next.id);
  }

  function close(): void {
    const id = page.readCurrentId();
    if (id !== undefined) {
      focusRow(id);
      page.open(undefined);
    } else page.select({ type: "clear" });
  }

  function toggle(): void {
    const message = rows[currentIndex()];
    if (message !== undefined) page.select({ type: "toggle", message });
    else tellRefusal(NONE_OPEN);
  }

  function selectEverything(): void {
    page.select({ type: "add", rows });
    if (page.moreMatch) page.everything.choose(true);
  }

  const steps = usePageSteps(page.paging);

  function turnTab(step: 1 | -1): void {
    const filters = page.readFilters();
    const tabs = listTabs(page.counts, filters.state).map(({ tab }) => tab);
    const next = tabs[tabs.indexOf(filters.state) + step];
    if (next !== undefined) page.setFilters({ ...filters, state: next });
  }

  function copyOpen(): void {
    const id = rows[currentIndex()]?.id;
    const row = id === undefined ? null : document.querySelector(`[data-message-id="${CSS.escape(id)}"]`);
    if (row !== null) pressTool("row-menu", row);
    else tellRefusal(NONE_OPEN);
  }

  useShortcuts([
    { key: "j", description: "Next message", group: GROUP, run: () => move(1) },
    { key: "k", description: "Previous message", group: GROUP, run: () => move(-1) },
    { key: "x", description: "Select or deselect the message", group: GROUP, run: toggle },
    { key: "X", description: "Select all rows shown", group: GROUP, run: () => page.select({ type: "add", rows }) },
    { key: "A", description: "Select all that match", group: GROUP, run: selectEverything },
    {
      key: "r",
      description: "Retry the selected messages, or the open one",
      group: GROUP,
      run: () => page.askFor("retry"),
    },
    {
      key: "e",
      description: "Archive the selected messages, or the open one",
      group: GROUP,
      run: () => page.askFor("archive"),
    },
    {
      key: "d",
      description: "Dead-letter the selected messages, or the open one",
      group: GROUP,
      run: () => page.askFor("dead-letter"),
    },
    {
      key: "u",
      description: "Restore the selected messages, or the open one, from the archive",
      group: GROUP,
      run: () => page.askFor("restore"),
    },
    {
      key: "b",
      description: "Re-publish the selected messages, or the open one",
      group: GROUP,
      run: () => page.askFor("republish"),
    },
    { key: "y", description: "Copy the open message as…", group: GROUP, run: copyOpen },
    { key: "n", description: "Next page", group: VIEW, run: steps.goOn },
    { key: "p", description: "Previous page", group: VIEW, run: steps.goBack },
    { key: "g", description: "First page", group: VIEW, run: steps.goFirst },
    { key: "]", description: "Next state", group: VIEW, run: () => turnTab(1) },
    { key: "[", description: "Previous state", group: VIEW, run: () => turnTab(-1) },
    { key: "t", description: "Range of time", group: VIEW, run: () => pressTool("range") },
    { key: "f", description: "Add a filter", group: VIEW, run: () => pressTool("filter") },
    { key: "v", description: "Views", group: VIEW, run: () => pressTool("views") },
    { key: "o", description: "Columns", group: VIEW, run: () => pressTool("columns") },
    { key: "s", description: "Export", group: VIEW, run: () => pressTool("export") },
    {
      key: "c",
      description: "Copy a link to this list",
      group: VIEW,
      run: () => void copyMessage({ label: "link", text: () => linkOf({ columns: page.columns.shown }) }),
    },
    { key: ".", description: "Show new messages", group: GROUP, run: page.list.accept },
    // Listed in the sheet only: no keyboard sends this key, so links and buttons keep their own Enter.
    { key: "⏎", description: "Open the message's page", group: GROUP, run: () => undefined },
    { key: "Escape", description: "Close the panel, then clear the selection", group: GROUP, run: close },
  ]);
}
