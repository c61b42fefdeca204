"use client";

import { useEffect } from "react";
import { isTyping, matchShortcut, shortcutStore } from "./shortcut-store.ts";

/** The console's only key listener. */
export function ShortcutListener() {
  useEffect(() => {
    function handle(event: KeyboardEvent) {
      const shortcut = event.defaultPrevented ? undefined : matchShortcut(event, shortcutStore.read());
      const plain = !event.metaKey && !event.ctrlKey;
      if (shortcut === undefined || (plain && (isTyping(event.target) || isDialogOpen()))) return;
      event.preventDefault();
      shortcut.run();
    }
    document.addEventListener("keydown", handle);
    return () => document.removeEventListener("keydown", handle);
  }, []);
  return null;
}

/** A modal captures the keyboard; `j` must not move the list behind it. */
function isDialogOpen(): boolean {
  return document.querySelector("[role=dialog][aria-modal=true]") !== null;
}
