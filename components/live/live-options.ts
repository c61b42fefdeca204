import type { Live } from "./live-provider.tsx";

interface LivePace {
  /** Slowest allowed pace wins: charts and audit pass 15_000, health 10_000. */
  atLeastMs?: number;
  /** false for a query that has nothing more to learn, such as a settled message. */
  refresh?: boolean;
}

/**
 * The only place that sets `refetchInterval`. Spread it into useQuery:
 * `useQuery({ queryKey, queryFn, ...liveOptions(useLive()) })`. It keeps no data across keys: figures of one outbox under
 * the name of another would be a lie. Pages of one list may add `placeholderData` themselves.
 */
export function liveOptions(live: Pick<Live, "intervalMs" | "paused">, pace: LivePace = {}) {
  const intervalMs = Math.max(live.intervalMs, pace.atLeastMs ?? 0);
  const refresh = !live.paused && pace.refresh !== false;
  return {
    refetchInterval: refresh ? intervalMs : (false as const),
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: refresh,
    refetchOnReconnect: refresh,
    staleTime: intervalMs,
    // The next refresh is the next try; a try in between would only delay the sentence that says what is wrong.
    retry: false,
    meta: { live: true },
  };
}
