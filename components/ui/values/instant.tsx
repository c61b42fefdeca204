"use client";

import { useSyncExternalStore } from "react";
import { useServerNow } from "#components/live/use-now.ts";
import { formatBothClocks, formatInstant } from "../format/format-instant.ts";

/** A point in time in UTC; its title shows UTC and local time. */
export function Instant({ at }: { at: string | null | undefined }) {
  const nowMs = useServerNow();
  const inBrowser = useInBrowser();
  if (at === null || at === undefined) return <span className="muted">–</span>;
  return (
    <time dateTime={at} title={inBrowser ? formatBothClocks(at) : undefined} suppressHydrationWarning>
      {formatInstant(at, nowMs)}
    </time>
  );
}

const never = () => () => undefined;

/** Local time is known in the browser only; false during rendering on the server. */
function useInBrowser(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
