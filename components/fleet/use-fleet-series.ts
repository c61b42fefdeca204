"use client";

import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { seriesQuery } from "#components/api/queries.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import type { Series } from "#contracts/outbox/snapshot.ts";

const RANGE_SECONDS = 3_600;
const STEP_SECONDS = 60;
const PACE_MS = 60_000;
/** Rows beyond this number show figures only. */
const MOST_ROWS = 24;

/** The last hour of the shown rows, by outbox; read once a minute, because it is drawn only 82 px wide. */
export function useFleetSeries(outboxes: readonly string[]): ReadonlyMap<string, Series> {
  const live = useLive();
  const { refetchInterval, staleTime } = liveOptions(live, { atLeastMs: PACE_MS });
  return useQueries({
    queries: outboxes.slice(0, MOST_ROWS).map((outbox) => ({
      queryKey: ["fleet-series", outbox],
      queryFn: seriesQuery(outbox, RANGE_SECONDS, STEP_SECONDS, () => live.store.serverTime(Date.now())).queryFn,
      refetchInterval,
      staleTime,
      // The figures next to the line contain the same facts, so its failure is not reported.
      retry: false,
    })),
    combine: byOutbox,
  });
}

function byOutbox(answers: readonly UseQueryResult<Series>[]): ReadonlyMap<string, Series> {
  return new Map(answers.flatMap(({ data }) => (data === undefined ? [] : [[data.outbox, data] as const])));
}
