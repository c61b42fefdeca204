"use client";

import { useLiveState } from "#components/live/use-live-state.ts";
import { useServerNow } from "#components/live/use-now.ts";
import { formatDuration } from "#domain/format.ts";

interface AgeProps {
  /** Age in seconds as computed by the server; null shows a dash. */
  seconds: number | null | undefined;
  /**
   * Instant of the server's computation. With it the age keeps ticking between refreshes, and stops when the page is
   * paused, stale or disconnected. Leave it out for figures that the next refresh may lower.
   */
  asOf?: string | undefined;
}

/** An age in two units: "14 m 08 s", "0.4 s". */
export function Age({ seconds, asOf }: AgeProps) {
  if (seconds === null || seconds === undefined) return <span className="muted">–</span>;
  if (asOf === undefined) return <span>{formatDuration(seconds)}</span>;
  return <TickingAge seconds={seconds} asOf={asOf} />;
}

/** Below this a creation time ahead of the database's clock is taken for now. */
const AHEAD_SECONDS = -1;

/** True for a creation time in the future, which a wrong clock or a wrong time zone leaves. */
export function isAhead(seconds: number): boolean {
  return seconds < AHEAD_SECONDS;
}

/** The age of a row by its creation time: "14 m 08 s", or "in 2 h 00 m" if that is in the future. */
export function RowAge({ seconds, asOf }: AgeProps) {
  if (typeof seconds === "number" && isAhead(seconds)) return <span>in {formatDuration(-seconds)}</span>;
  return <Age seconds={seconds} asOf={asOf} />;
}

function TickingAge({ seconds, asOf }: { seconds: number; asOf: string }) {
  const { state } = useLiveState();
  const serverNowMs = useServerNow();
  const sinceMs = state === "live" ? Math.max(0, serverNowMs - Date.parse(asOf)) : 0;
  return <span>{formatDuration(seconds + sinceMs / 1000)}</span>;
}
