/**
 * States of a bulk operation. `selecting`: its items are being written; `halted`: it stopped by itself, because too many
 * messages failed again; `cancelling`: what was left is cancelled, and what was acted on is followed to its outcome.
 */
export const BULK_STATES = ["selecting", "running", "paused", "halted", "cancelling", "cancelled", "finished"] as const;
export type BulkState = (typeof BULK_STATES)[number];

/** States in which nothing more will happen. */
export const isEnded = (state: BulkState): boolean => state === "cancelled" || state === "finished";

/**
 * Outcomes of one item. `released`: retried, and not yet known to be published or to have failed again. `done`: acted on,
 * by any other action. `skipped`: it had changed since it was selected. `refused`: the action is not possible on it.
 * `unknown`: retried, and its row is gone without a word of whether it was published.
 */
export const ITEM_OUTCOMES = [
  "released",
  "published",
  "failed_again",
  "done",
  "skipped",
  "refused",
  "cancelled",
  "unknown",
] as const;
export type ItemOutcome = (typeof ITEM_OUTCOMES)[number];

/** Outcomes that follow `released`. No other outcome is ever followed by one. */
export const RETRY_OUTCOMES: readonly ItemOutcome[] = ["published", "failed_again", "unknown"];

/** Commands of an operator to a bulk operation, with the states in which each is possible. */
export const BULK_COMMANDS = {
  pause: ["selecting", "running"],
  resume: ["paused", "halted"],
  cancel: ["selecting", "running", "paused", "halted"],
} as const satisfies Record<string, readonly BulkState[]>;
export type BulkCommand = keyof typeof BULK_COMMANDS;
