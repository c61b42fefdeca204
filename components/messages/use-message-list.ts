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
  /** Takes the rows away that left; the others stay where they are. */
  dropGone: () => void;
  retry: () => void;
}

interface Held {
  key: string;
  asOf: string;
  messages: readonly MessageSummary[];
}

const NOTHING: readonly MessageSummary[] = [];

/** The list as the operator sees it: figures are live, places are not. */
export function useMessageList(address: ListAddress, enabled: boolean): HeldList {
  const live = useLive();
  const options = messagesQuery(address);
  const query = useQuery({ ...options, ...liveOptions(live), enabled });
  // A list from the cache gives way to the first fresh one: what left it meanwhile is no news.
  const key = JSON.stringify([options.queryKey, query.isFetchedAfterMount]);
  const [held, setHeld] = useState<Held>({ key, asOf: "", messages: NOTHING });
  const fresh = query.data;
  const merged = useMemo(
    () =>
      mergePage({
        held: held.key === key ? held.messages : NOTHING,
        fresh: fresh?.messages ?? NOTHING,
        hasMore: fresh?.nextCursor !== null,
        elapsedSeconds: secondsBetween(held.asOf, fresh?.asOf),
      }),
    [held, key, fresh],
  );
  const take = fresh !== undefined && (held.key !== key || (merged.arrivals > 0 && isSpent(merged)));
  const renewed = take || held.asOf !== fresh?.asOf;

  useEffect(() => {
    if (fresh === undefined || !renewed) return;
    setHeld({ key, asOf: fresh.asOf, messages: take ? fresh.messages : merged.rows.map((row) => row.message) });
  }, [renewed, take, key, fresh, merged]);

  const shown = take ? mergePage({ held: fresh.messages, fresh: fresh.messages, hasMore: false }) : merged;
  return {
    ...shown,
    list: fresh,
    loading: fresh === undefined && query.error === null,
    error: query.error,
    accept: () => fresh && setHeld({ key, asOf: fresh.asOf, messages: fresh.messages }),
    dropGone: () => setHeld({ ...held, messages: shown.rows.filter((row) => !row.gone).map((row) => row.message) }),
    retry: () => void query.refetch(),
  };
}

function secondsBetween(from: string, to: string | undefined): number {
  const seconds = (Date.parse(to ?? "") - Date.parse(from)) / 1000;
  return Number.isNaN(seconds) ? 0 : seconds;
}
