"use client";

import { useQuery } from "@tanstack/react-query";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import type { Operation } from "#contracts/message/operations.ts";
import { isEnded } from "#domain/message/bulk-operation.ts";
import { operationQuery } from "./operation-queries.ts";

/** While something happens, whatever interval was chosen for the figures of the other pages. */
const RUNNING_MS = 1_000;
const ENDED_MS = 15_000;

/** One operation, read about once a second until it has ended. */
export function useOperationWatch(id: string) {
  const live = useLive();
  const options = operationQuery(id);
  const failure = useFailure(options.queryKey);
  const query = useQuery({
    ...options,
    ...liveOptions(live),
    refetchInterval: (current) => {
      const ended = isSettled(current.state.data);
      return liveOptions({ paused: live.paused, intervalMs: ended ? ENDED_MS : RUNNING_MS }).refetchInterval(current);
    },
  });
  return { query, failure };
}

/** True if nothing about it will change. */
export function isSettled(operation: Operation | undefined): boolean {
  if (operation === undefined) return false;
  return operation.bulk === null ? operation.finished : isEnded(operation.bulk.state);
}
