"use client";

import { useSyncExternalStore } from "react";

const never = () => () => undefined;

function read(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl ";
}

/** How this machine prints the key that goes with K: "⌘" or "Ctrl ". */
export function useModKey(): string {
  return useSyncExternalStore(never, read, () => "Ctrl ");
}
