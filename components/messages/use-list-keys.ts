"use client";

import { useShortcuts } from "#components/shell/use-shortcuts.ts";
import type { MessagesPageModel } from "./use-messages-page.ts";

const GROUP = "Messages";

/** The list's keys. Enter is left to the browser, since the row's link has the focus. */
export function useListKeys(page: MessagesPageModel, focusRow: (id: string) => void): void {
  const rows = page.list.rows.map((row) => row.message);

  /** Read from the address, which is ahead of the rendered state while a key is held down. */
  function currentIndex(): number {
    const id = new URLSearchParams(window.location.search).get("message");
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
    if (page.currentId !== undefined) {
      focusRow(page.currentId);
      page.open(undefined);
    } else page.select({ type: "clear" });
  }

  function toggle(): void {
    const message = rows[currentIndex()];
    if (message !== undefined) page.select({ type: "toggle", message });
  }

  useShortcuts([
    { key: "j", description: "Next message", group: GROUP, run: () => move(1) },
    { key: "k", description: "Previous message", group: GROUP, run: () => move(-1) },
    { key: "x", description: "Select or deselect the message", group: GROUP, run: toggle },
    { key: "X", description: "Select all rows shown", group: GROUP, run: () => page.select({ type: "add", rows }) },
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
    { key: ".", description: "Show new messages", group: GROUP, run: page.list.accept },
    // Listed in the sheet only: no keyboard sends this key, so links and buttons keep their own Enter.
    { key: "⏎", description: "Open the message's page", group: GROUP, run: () => undefined },
    { key: "Escape", description: "Close the panel, then clear the selection", group: GROUP, run: close },
  ]);
}
