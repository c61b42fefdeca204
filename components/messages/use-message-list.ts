"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import type { MessageList, MessageSummary } from "#contracts/messages.ts";
import { isSpent, type MergedPage, mergePage } from "./merge-page.ts";
import { type ListAddress, messagesQuery } from "./messages-query.ts";

export interface HeldList extends MergedPage {
  list: MessageList | undefined;
  loading: boolean;
  error: Error | null;
  /** Shows the newcomers. */
  accept: () => void;
  retry: () => void;
}

const NOTHING: readonly MessageSummary[] = [];

/** The list as the operator sees it: figures are live, places are not. */
export function useMessageList(address: ListAddress, enabled: boolean): HeldList {
  const live = useLive();
  const options = messagesQuery(address);
  const query = useQuery({ ...options, ...liveOptions(live), enabled });
  // A list from the cache gives way to the first fresh one: what left it meanwhile is no news.
  const key = JSON.stringify([options.queryKey, query.isFetchedAfterMount]);
  const [held, setHeld] = useState<{ key: string; messages: readonly MessageSummary[] }>({ key, messages: NOTHING });
  const fresh = query.data;
  const merged = useMemo(
    () =>
      mergePage({
        held: held.key === key ? held.messages : NOTHING,
        fresh: fresh?.messages ?? NOTHING,
        hasMore: fresh?.nextCursor !== null,
      }),
    [held, key, fresh],
  );
  const take = fresh !== undefined && (held.key !== key || (merged.arrivals > 0 && isSpent(merged)));

  useEffect(() => {
    if (take) setHeld({ key, messages: fresh.messages });
  }, [take, key, fresh]);

  const shown = take ? mergePage({ held: fresh.messages, fresh: fresh.messages, hasMore: false }) : merged;
  return {
    ...shown,
    list: fresh,
    loading: fresh === undefined && query.error === null,
    error: query.error,
    accept: () => fresh && setHeld({ key, messages: fresh.messages }),
    retry: () => void query.refetch(),
  };
}
