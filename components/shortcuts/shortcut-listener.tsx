"use client";

import { useEffect } from "react";
import { isTyping, matchShortcut, shortcutStore } from "./shortcut-store.ts";

/** The console's only key listener. */
export function ShortcutListener() {
  useEffect(() => {
    function handle(event: KeyboardEvent) {
      const shortcut = event.defaultPrevented ? undefined : matchShortcut(event, shortcutStore.read());
      const plain = !event.metaKey && !event.ctrlKey;
      if (shortcut === undefined || (plain && (isTyping(event.target) || isCaptured(event.target)))) return;
      event.preventDefault();
      shortcut.run();
    }
    document.addEventListener("keydown", handle);
    tellKeys();
    const unsubscribe = shortcutStore.subscribe(tellKeys);
    return () => {
      document.removeEventListener("keydown", handle);
      unsubscribe();
    };
  }, []);
  return null;
}

/** Scripts that drive the page see which keys it takes by now: before it has loaded, they are lost. */
function tellKeys(): void {
  document.documentElement.dataset.keys = shortcutStore
    .read()
    .map(({ key }) => key)
    .join(" ");
}

const LAYERS = "[role=dialog], [role=menu]";

/**
 * A dialog, menu or popover captures the keyboard: `j` must not move the list behind it, and the Escape that has just
 * closed it must close nothing else.
 */
function isCaptured(target: EventTarget | null): boolean {
  return document.querySelector(LAYERS) !== null || (target instanceof Element && target.closest(LAYERS) !== null);
}
