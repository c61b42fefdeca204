import type { FaultKind } from "./fault-kinds.ts";
import { halfOf } from "./soak-message.ts";

export interface SufferedFault {
  kind: FaultKind;
  /** On the wall clock, ms. */
  fromMs: number;
  toMs: number;
}

export interface Evidence {
  /** Time of each confirmation, by lane and by number, ms on the wall clock. */
  confirmedAtMs: readonly (readonly number[])[];
  /** Numbers at the broker, by lane, in the order of their arrival. */
  received: readonly (readonly number[])[];
  faults: readonly SufferedFault[];
}

/** Time from a fault's end to a confirmation, over all faults, ms. */
export interface Recovery {
  meanMs: number;
  longestMs: number;
  /** The fault that took longest; null: there was none. */
  after: FaultKind | null;
}

export interface Verdict {
  published: number;
  /** Confirmed and not at the broker. */
  lost: number;
  duplicates: number;
  /** Messages whose first arrival came after a later message of their lane. */
  inversions: number;
  /** Time until any message was confirmed. */
  silence: Recovery;
  /** Time until every lane had a confirmed message. */
  everyLane: Recovery;
  /** Longest time without a confirmation of the lanes that a fault spared, over all such faults. */
  spared: Recovery;
}

export function judgeSoak({ confirmedAtMs, received, faults }: Evidence): Verdict {
  const verdict = { published: 0, lost: 0, duplicates: 0, inversions: 0 };
  for (const [lane, times] of confirmedAtMs.entries()) {
    const { seen, duplicates, inversions } = readLane(received[lane] ?? []);
    verdict.published += times.length;
    verdict.duplicates += duplicates;
    verdict.inversions += inversions;
    for (let n = 0; n < times.length; n += 1) if (!seen.has(n)) verdict.lost += 1;
  }
  const first = (waits: number[]) => Math.min(...waits);
  const last = (waits: number[]) => Math.max(...waits);
  return {
    ...verdict,
    silence: recovery(confirmedAtMs, faults, first),
    everyLane: recovery(confirmedAtMs, faults, last),
    spared: sparedLanes(confirmedAtMs, faults),
  };
}

function readLane(numbers: readonly number[]): { seen: Set<number>; duplicates: number; inversions: number } {
  const seen = new Set<number>();
  let highest = -1;
  let inversions = 0;
  for (const n of numbers) {
    if (!seen.has(n) && n < highest) inversions += 1;
    seen.add(n);
    highest = Math.max(highest, n);
  }
  return { seen, duplicates: numbers.length - seen.size, inversions };
}

/** A wait ends at the latest with the next fault, which is to blame from then on. */
function recovery(
  confirmedAtMs: Evidence["confirmedAtMs"],
  faults: Evidence["faults"],
  choose: (waits: number[]) => number,
): Recovery {
  const waits = faults.map(({ kind, toMs }, index) => {
    const untilMs = faults[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
    const lanes = confirmedAtMs.map((times) => Math.min(firstAfter(times, toMs) ?? untilMs, untilMs) - toMs);
    return { kind, ms: lanes.length === 0 ? Number.POSITIVE_INFINITY : choose(lanes) };
  });
  return summary(waits);
}

/** For faults that affect only half of the lanes. */
function sparedLanes(confirmedAtMs: Evidence["confirmedAtMs"], faults: Evidence["faults"]): Recovery {
  const times = confirmedAtMs.filter((_, lane) => halfOf(lane) === "even").flat();
  times.sort((left, right) => left - right);
  const waits = faults
    .filter(({ kind }) => kind === "half")
    .map(({ kind, fromMs, toMs }) => {
      let [ms, lastMs] = [0, fromMs];
      for (const atMs of [...times.filter((time) => time > fromMs && time < toMs), toMs]) {
        ms = Math.max(ms, atMs - lastMs);
        lastMs = atMs;
      }
      return { kind, ms };
    });
  return summary(waits);
}

function summary(waits: readonly { kind: FaultKind; ms: number }[]): Recovery {
  const longest = waits.reduce<(typeof waits)[number] | null>(
    (most, wait) => (most && most.ms >= wait.ms ? most : wait),
    null,
  );
  return {
    meanMs: waits.reduce((sum, { ms }) => sum + ms, 0) / Math.max(1, waits.length),
    longestMs: longest?.ms ?? 0,
    after: longest?.kind ?? null,
  };
}

/** The first of the ascending times at or after the given one. */
function firstAfter(times: readonly number[], atMs: number): number | undefined {
  let [from, to] = [0, times.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((times[middle] ?? 0) < atMs) from = middle + 1;
    else to = middle;
  }
  return times[from];
}
