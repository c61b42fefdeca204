import { createRandom, type Random } from "../random.ts";
import type { FaultKind } from "./fault-kinds.ts";
import type { SoakOptions } from "./options.ts";

export interface SoakStep {
  kind: FaultKind;
  /** Calm before it, ms. */
  afterMs: number;
  forMs: number;
}

/** Longest time that the broker stays down, ms; its start takes seconds in addition. */
const DOWN_MS = 2000;
/** Share of faults that are short. */
const SHORT = 0.4;
const SHORT_MS = [100, 1500] as const;

/**
 * One fault after another, each followed by calm in which the candidates can recover; all derived from the seed. Every
 * kind occurs before one occurs again.
 */
export function generateSoakSchedule(
  options: Pick<SoakOptions, "seed" | "chaosMs" | "kinds" | "longestMs" | "calmMs">,
): SoakStep[] {
  const random = createRandom(options.seed);
  const steps: SoakStep[] = [];
  let left: FaultKind[] = [];
  for (let atMs = 0; ; ) {
    if (left.length === 0) left = shuffled(options.kinds, random);
    const kind = left.pop() as FaultKind;
    const step = { kind, afterMs: random.int(...options.calmMs), forMs: lengthOf(kind, random, options.longestMs) };
    atMs += step.afterMs + step.forMs;
    if (atMs > options.chaosMs) return steps;
    steps.push(step);
  }
}

function lengthOf(kind: FaultKind, random: Random, longestMs: number): number {
  const short = random.chance(SHORT);
  if (kind === "cut") return 0;
  if (kind === "stop" || kind === "kill") return random.int(0, Math.min(DOWN_MS, longestMs));
  const [least, most] = SHORT_MS;
  return short ? random.int(least, Math.min(most, longestMs)) : random.int(Math.min(most, longestMs), longestMs);
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const rest = [...list];
  return list.map(() => rest.splice(random.int(0, rest.length - 1), 1)[0] as T);
}
