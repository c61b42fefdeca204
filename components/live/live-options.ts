import { isUnanswered } from "#components/api/outage.ts";
import type { Live } from "./live-provider.tsx";

interface LivePace {
  /** The longer interval wins: charts and audit pass 15_000, health 10_000. */
  atLeastMs?: number;
  /** false for a query whose answer cannot change, such as a settled message. */
  refresh?: boolean;
  /** false for a query whose silence must not make the page's figures old, as that of a panel beside them. */
  freshness?: boolean;
}

interface Asked {
  state: { data: unknown; error: Error | null };
}

/**
 * Sets `refetchInterval` for what a page shows. Spread it into useQuery: `useQuery({ queryKey, queryFn,
 * ...liveOptions(useLive()) })`. It keeps no data across keys, since one outbox's figures must not appear under
 * another's name. Pages of one list may add `placeholderData` themselves.
 */
export function liveOptions(live: Pick<Live, "intervalMs" | "paused">, pace: LivePace = {}) {
  const intervalMs = Math.max(live.intervalMs, pace.atLeastMs ?? 0);
  const refresh = !live.paused && pace.refresh !== false;
  return {
    // A hold stops the refresh of answered queries only. An unanswered one is still repeated: nothing else would end
    // the outage that the page reports.
    refetchInterval: ({ state }: Asked) => (refresh || isUnanswered(state) ? intervalMs : (false as const)),
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: refresh,
    refetchOnReconnect: refresh,
    staleTime: intervalMs,
    // The next refresh is the retry; an extra retry would only delay the error message.
    retry: false,
    meta: { live: true, freshness: pace.freshness !== false },
  };
}
