"use client";

import { useServerNow } from "#components/live/use-now.ts";
import { formatBothClocks, formatInstant } from "./format-instant.ts";

/** A point in time in UTC; both clocks are in its title. */
export function Instant({ at }: { at: string | null | undefined }) {
  const nowMs = useServerNow();
  if (at === null || at === undefined) return <span className="muted">–</span>;
  return (
    <time dateTime={at} title={formatBothClocks(at)} suppressHydrationWarning>
      {formatInstant(at, nowMs)}
    </time>
  );
}
