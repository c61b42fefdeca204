"use client";

import { hashKey, type QueryKey } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { useLive } from "./live-provider.tsx";

/**
 * Why a live question has no answer, or none newer than what is on the page. It stays through every refresh until an
 * answer comes: the query itself forgets its error whenever it is asked again.
 */
export function useFailure(queryKey: QueryKey): Error | null {
  const { store } = useLive();
  const hash = hashKey(queryKey);
  const read = useCallback(() => store.failureOf(hash) ?? null, [store, hash]);
  return useSyncExternalStore(store.subscribe, read, () => null);
}
