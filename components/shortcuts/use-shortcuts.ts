"use client";

import { useEffect, useRef } from "react";
import { type Shortcut, shortcutStore } from "./shortcut-store.ts";

/** Registers keys while the component is mounted; `?` lists them. Keys typed into a field are ignored. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  const signature = shortcuts.map((shortcut) => `${shortcut.key}\t${shortcut.description}`).join("\n");

  // biome-ignore lint/correctness/useExhaustiveDependencies: the handlers are read through the ref; only keys re-register
  useEffect(() => {
    const stable = latest.current.map((shortcut, index) => ({
      ...shortcut,
      run: () => latest.current[index]?.run(),
    }));
    return shortcutStore.add(stable);
  }, [signature]);
}
