"use client";

import { useSyncExternalStore } from "react";
import { useLive } from "./live-provider.tsx";
import { computeLiveState, type LiveState } from "./live-state.ts";
import type { LiveFacts } from "./live-store.ts";
import { useNow } from "./use-now.ts";

/** The page's freshness as one word, with the underlying facts. */
export function useLiveState(): { state: LiveState; facts: LiveFacts } {
  const { store, intervalMs, paused } = useLive();
  const facts = useSyncExternalStore(store.subscribe, store.read, store.read);
  const nowMs = useNow();
  return { state: computeLiveState({ facts, intervalMs, paused, nowMs }), facts };
}
