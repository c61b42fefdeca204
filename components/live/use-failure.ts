"use client";

import { hashKey, type QueryKey } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { useLive } from "./live-provider.tsx";

/**
 * Why a query of the page has no answer, or none newer than its data. It persists through refreshes until an answer
 * arrives, whereas a query without data clears its error on every refetch.
 */
export function useFailure(queryKey: QueryKey): Error | null {
  const { store } = useLive();
  const hash = hashKey(queryKey);
  const read = useCallback(() => store.failureOf(hash) ?? null, [store, hash]);
  return useSyncExternalStore(store.subscribe, read, () => null);
}
