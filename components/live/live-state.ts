import type { LiveFacts } from "./live-store.ts";

export type LiveState = "connecting" | "live" | "paused" | "stale" | "in_part" | "disconnected";

const MISSED_REFRESHES = 3;
const MIN_STALE_MS = 6_000;

/**
 * Stale after three missed refreshes; disconnected as soon as the newest answer is a failure, or live in part if that
 * is about one of several databases.
 */
export function computeLiveState(input: {
  facts: LiveFacts;
  intervalMs: number;
  paused: boolean;
  nowMs: number;
}): LiveState {
  if (input.facts.failure !== undefined) return input.facts.inPart ? "in_part" : "disconnected";
  if (input.paused) return "paused";
  if (input.facts.lastSuccessMs === undefined) return "connecting";
  const silentMs = input.nowMs - input.facts.lastSuccessMs;
  return silentMs > Math.max(MIN_STALE_MS, input.intervalMs * MISSED_REFRESHES) ? "stale" : "live";
}
