"use client";

import { useQuery } from "@tanstack/react-query";
import { messageQuery, whyQuery } from "#components/api/message-queries.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import type { MessageState } from "#domain/message/message-state.ts";

/** States in which a message may be stuck. */
const MOVING: readonly MessageState[] = ["pending", "failed", "in_flight", "dead", "unknown", "expired"];
const SETTLED_MS = 15_000;

/** One message with its reasons; a settled one is refreshed rarely. */
export function useMessage(outbox: string, id: string) {
  const live = useLive();
  const options = messageQuery(outbox, id);
  const failure = useFailure(options.queryKey);
  const detail = useQuery({
    ...options,
    ...liveOptions(live),
    refetchInterval: (query) => {
      const pace = liveOptions(live, isMoving(query.state.data?.message.state) ? {} : { atLeastMs: SETTLED_MS });
      return pace.refetchInterval(query);
    },
  });
  const { state, version } = detail.data?.message ?? {};
  return { detail, failure, why: useWhy(outbox, id, { version, moving: isMoving(state) }) };
}

interface Moving {
  version: string | undefined;
  moving: boolean;
}

/** Why it does not move, in this version; undefined where that is no question. */
function useWhy(outbox: string, id: string, { version, moving }: Moving) {
  const options = whyQuery(outbox, id, version);
  const error = useFailure(options.queryKey);
  const query = useQuery({ ...options, ...liveOptions(useLive(), { atLeastMs: 5_000 }), enabled: moving });
  if (!moving) return undefined;
  // What was said of the version before stands in for an answer that is on its way, not for one that failed.
  const data = error !== null && query.isPlaceholderData ? undefined : query.data;
  return { data, error, isPending: data === undefined && error === null };
}

function isMoving(state: MessageState | undefined): boolean {
  return state !== undefined && MOVING.includes(state);
}
