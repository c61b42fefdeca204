"use client";

import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { seriesQuery } from "#components/api/queries.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import type { Series } from "#contracts/snapshot.ts";

const RANGE_SECONDS = 3_600;
const STEP_SECONDS = 60;
const PACE_MS = 60_000;
/** Rows beyond these show their figures alone. */
const MOST_ROWS = 24;

/** The last hour of the rows that are shown, by outbox; read once a minute, because it is drawn 82 px wide. */
export function useFleetSeries(outboxes: readonly string[]): ReadonlyMap<string, Series> {
  const live = useLive();
  const { refetchInterval, staleTime } = liveOptions(live, { atLeastMs: PACE_MS });
  return useQueries({
    queries: outboxes.slice(0, MOST_ROWS).map((outbox) => ({
      queryKey: ["fleet-series", outbox],
      queryFn: seriesQuery(outbox, RANGE_SECONDS, STEP_SECONDS, () => live.store.serverTime(Date.now())).queryFn,
      refetchInterval,
      staleTime,
      // The figures beside the line say all that it says: its failure is no failure of the page.
      retry: false,
    })),
    combine: byOutbox,
  });
}

function byOutbox(answers: readonly UseQueryResult<Series>[]): ReadonlyMap<string, Series> {
  return new Map(answers.flatMap(({ data }) => (data === undefined ? [] : [[data.outbox, data] as const])));
}
