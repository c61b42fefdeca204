import type { CounterReading, RelayCounters } from "#db/stores/port/outbox-figures.ts";
import { emptyLatencies, latencyQuantileMs, subtractLatencies } from "#domain/relay/latency-histogram.ts";
import { areComparable, type InflowSource } from "./inflow-source.ts";

/** Flow between two readings, per second; null if unknown. */
export interface Flow {
  inPerSecond: number | null;
  outPerSecond: number | null;
  failuresPerSecond: number | null;
  p50Ms: number | null;
  p99Ms: number | null;
}

const UNKNOWN: Flow = { inPerSecond: null, outPerSecond: null, failuresPerSecond: null, p50Ms: null, p99Ms: null };
/** Readings further apart than this give no current rate, seconds. */
const LONGEST_SECONDS = 60;

/**
 * Rates from the difference of two readings. A counter that fell was restarted and counts from zero. A sequence that
 * fell was set by someone, so its rate is unknown.
 */
export function flowBetween(
  before: CounterReading | undefined,
  now: CounterReading,
  source: InflowSource = "sequence",
): Flow {
  if (!before) return UNKNOWN;
  const seconds = now.atSeconds - before.atSeconds;
  if (!(seconds > 0) || seconds > LONGEST_SECONDS) return UNKNOWN;
  const published = sumDelta(before.relays, now.relays, "published");
  const failures = sumDelta(before.relays, now.relays, "failures");
  const latencies = latencyDelta(before.relays, now.relays);
  return {
    inPerSecond: insertRate(before, now, { seconds, source }),
    outPerSecond: published === null ? null : published / seconds,
    failuresPerSecond: failures === null ? null : failures / seconds,
    p50Ms: latencies && latencyQuantileMs(latencies, 0.5),
    p99Ms: latencies && latencyQuantileMs(latencies, 0.99),
  };
}

function insertRate(
  before: CounterReading,
  now: CounterReading,
  { seconds, source }: { seconds: number; source: InflowSource },
): number | null {
  if (now.insertedBy === null) return null;
  if (source === "committed") {
    // Unknown if the counts were reset in between; the sequence is no substitute, because its values did not become
    // rows.
    if (!before.committed || !now.committed || !areComparable(before, now)) return null;
    return (now.committed.rows - before.committed.rows) / seconds;
  }
  // A sequence that was never used has no last value, so the rate is unknown.
  if (before.insertedBy !== now.insertedBy || before.inserted === null || now.inserted === null) return null;
  const inserted = now.inserted - before.inserted;
  return inserted < 0 ? null : inserted / seconds;
}

function previousOf(before: readonly RelayCounters[], id: string): RelayCounters | undefined {
  return before.find((relay) => relay.id === id);
}

function sumDelta(
  before: readonly RelayCounters[] | null,
  now: readonly RelayCounters[] | null,
  counter: "published" | "failures",
): number | null {
  if (!before || !now) return null;
  return now.reduce((sum, relay) => {
    const earlier = previousOf(before, relay.id)?.[counter] ?? 0;
    return sum + (relay[counter] >= earlier ? relay[counter] - earlier : relay[counter]);
  }, 0);
}

function latencyDelta(before: readonly RelayCounters[] | null, now: readonly RelayCounters[] | null): number[] | null {
  if (!before || !now) return null;
  return now.reduce((sum, relay) => {
    const added = subtractLatencies(relay.latency, previousOf(before, relay.id)?.latency ?? []);
    return sum.map((count, index) => count + (added[index] ?? 0));
  }, emptyLatencies());
}
