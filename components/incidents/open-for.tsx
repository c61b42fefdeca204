"use client";

import { useServerNow } from "#components/live/use-now.ts";
import type { Incident } from "#contracts/watch/incidents.ts";
import { formatDuration } from "#domain/format.ts";

/** How long the incident lasts, or has lasted, from when things went wrong. */
export function OpenFor({ incident: { since, ended } }: { incident: Pick<Incident, "since" | "ended"> }) {
  const nowMs = useServerNow();
  const untilMs = ended === null ? nowMs : Date.parse(ended.at);
  const seconds = Math.max(0, Math.floor((untilMs - Date.parse(since)) / 1000));
  return <span suppressHydrationWarning>{seconds < 10 ? `${seconds} s` : formatDuration(seconds)}</span>;
}
