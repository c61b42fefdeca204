"use client";

import { useSyncExternalStore } from "react";
import { useLive } from "./live-provider.tsx";

const TICK_MS = 1_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let nowMs = 0;

/** One timer for the whole page, so that all ages update in one render. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  nowMs = Date.now();
  for (const listener of listeners) listener();
}

function current(): number {
  // Even without a timer, one render uses a single time.
  if (timer === undefined && Date.now() - nowMs >= TICK_MS) nowMs = Date.now();
  return nowMs;
}

/** Browser time in ms, updated once a second; the server's time while it renders the page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, current, current);
}

/** Server time in ms, updated once a second; ages are computed from it. */
export function useServerNow(): number {
  const now = useNow();
  const { store } = useLive();
  return store.serverTime(now);
}
