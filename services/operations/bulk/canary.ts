import { formatCount } from "#domain/format.ts";
import { type BulkProgress, countOf, withEvent } from "./bulk-progress.ts";
import type { RetryJudge } from "./judge-retries.ts";

const NO_CANARY = { published: 0, failedAgain: 0, passed: false };

interface CanaryState {
  progress: BulkProgress;
  /** How many items may go. */
  room: number;
  /** Sentence: why the operation halts because too many of the canary failed again. */
  halt?: string;
  /** It has passed just now. */
  passed?: boolean;
}

/** The first few items of an operation, whose outcome the rest waits for. `size`: 0 for none. */
export function watchCanary(progress: BulkProgress, size: number, judge: Pick<RetryJudge, "halts">): CanaryState {
  const counted = countActed(progress);
  const begun = progress.canary ?? { ...NO_CANARY, size: Math.min(size, counted.left), from: counted };
  if (begun.size === 0 || begun.passed) return { progress, room: Number.POSITIVE_INFINITY };
  const { from } = begun;
  const acted = counted.acted - from.acted;
  const published = counted.published - from.published;
  const failedAgain = counted.failedAgain - from.failedAgain;
  // An action whose answer was lost may have been done, and may be counted only after other items replaced it.
  const ofCanary = Math.max(begun.size, acted);
  const canary = { size: ofCanary, published, failedAgain, passed: false, from };
  const watched = { ...progress, canary };
  if (acted < ofCanary) return { progress: watched, room: ofCanary - acted };
  if (countOf(progress, "released") > 0) return { progress: watched, room: 0 };
  const halt = judge.halts(1);
  if (halt !== null) return { progress: watched, room: 0, halt: `Canary: ${halt}` };
  const text = `Canary: ${formatCount(published)} of ${formatCount(ofCanary)} published`;
  return {
    progress: withEvent({ ...progress, canary: { ...canary, passed: true } }, "canary", text),
    room: Number.POSITIVE_INFINITY,
    passed: true,
  };
}

function countActed(progress: BulkProgress) {
  const of = (outcome: Parameters<typeof countOf>[1]) => countOf(progress, outcome);
  const [published, failedAgain] = [of("published"), of("failed_again")];
  const acted = published + failedAgain + of("released") + of("skipped") + of("unknown");
  return { acted, published, failedAgain, left: of("left") };
}
