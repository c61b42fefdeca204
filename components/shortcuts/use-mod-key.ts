"use client";

import { useSyncExternalStore } from "react";

const never = () => () => undefined;

function read(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl ";
}

/** This machine's name of the modifier for K: "⌘" or "Ctrl ". */
export function useModKey(): string {
  return useSyncExternalStore(never, read, () => "Ctrl ");
}
