"use client";

import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useReducer, useRef } from "react";
import { apiGet } from "#components/api/api-client.ts";
import { outboxPath } from "#components/api/queries.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { messageListSchema } from "#contracts/message/messages.ts";
import { readTail } from "./read-tail.ts";
import { changeTail, EMPTY_TAIL, knownMessages } from "./tail-state.ts";

/** Reads the newest messages again and again while the page is open; also while it is paused, which counts them. */
export function useTail(outbox: string, eventType: string | undefined) {
  const [state, dispatch] = useReducer(changeTail, EMPTY_TAIL);
  const latest = useRef(state);
  latest.current = state;
  const live = useLive();
  const queryKey = ["tail", outbox, eventType ?? null];
  const failure = useFailure(queryKey);
  const query = useQuery({
    queryKey,
    ...liveOptions(live),
    // What was read before this page opened is no tail.
    gcTime: 0,
    structuralSharing: false,
    queryFn: ({ signal }) =>
      readTail(
        (asked) =>
          apiGet(messageListSchema, outboxPath(outbox, "/messages"), { state: "all", eventType, ...asked }, signal),
        knownMessages(latest.current),
      ),
  });
  const reading = query.data;
  useEffect(() => {
    if (reading !== undefined) dispatch({ type: "read", reading });
  }, [reading]);
  const pause = useCallback(
    (why: string) => dispatch({ type: "pause", why, at: new Date(live.store.serverTime(Date.now())).toISOString() }),
    [live.store],
  );
  return {
    state,
    failure,
    partial: reading?.partial ?? null,
    refreshPaused: live.paused ? live.pauseReasons.join(", ") : undefined,
    retry: () => void query.refetch(),
    pause,
    goOn: () => dispatch({ type: "go on" }),
  };
}

export type Tail = ReturnType<typeof useTail>;
