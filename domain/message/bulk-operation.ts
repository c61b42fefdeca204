import { ACTION_ROLES, type Role } from "../operator.ts";
import { type ActionFacts, MESSAGE_ACTIONS, refusalReason } from "./message-state.ts";
import { whyNotRepublished } from "./republish.ts";

/** What an operation may do to many messages. `republish` sends published ones once more and changes no row. */
export const BULK_ACTIONS = [...MESSAGE_ACTIONS, "republish"] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** Lowest role that may start each, and pause, resume or cancel it. */
export const BULK_ROLES: Record<BulkAction, Role> = { ...ACTION_ROLES, republish: "admin" };

/** Why `action` is not possible on a message, as a sentence; undefined when it is possible. */
export function whyNotPossible(action: BulkAction, message: ActionFacts): string | undefined {
  return action === "republish" ? whyNotRepublished(message.state) : refusalReason(action, message);
}

export function isPossible(action: BulkAction, message: ActionFacts): boolean {
  return whyNotPossible(action, message) === undefined;
}

/** True if an operation's items can fail again: it then has a canary, and halts by itself. */
export const canFailAgain = (action: string): boolean => action === "retry" || action === "republish";

/**
 * States of a bulk operation. `selecting`: its items are being written; `halted`: it stopped by itself, because too
 * many messages failed again, or by an unexpected error; `cancelling`: what was left is cancelled, and what was acted on is followed to its
 * outcome.
 */
export const BULK_STATES = ["selecting", "running", "paused", "halted", "cancelling", "cancelled", "finished"] as const;
export type BulkState = (typeof BULK_STATES)[number];

/** States in which a runner can take an operation. */
export const WORKING_STATES: readonly BulkState[] = ["selecting", "running", "cancelling"];

/**
 * True for lists that every new message joins at their end. The times of rows are the producers': they say what is new
 * there only, and an operation leaves those out that were created after its start.
 */
export const getsNewMessages = (list: string): boolean => ["unsent", "pending", "in_flight"].includes(list);

/** States in which nothing more will happen. */
export const isEnded = (state: BulkState): boolean => state === "cancelled" || state === "finished";

/**
 * Outcomes of one item. `released`: retried or handed to the sink, and not yet known to be published or to have failed
 * again. `done`: acted on, by any other action. `skipped`: it had changed since it was selected. `refused`: the action
 * is not possible on it. `unknown`: nothing says whether a retried message whose row is gone was published, or whether
 * a re-published one arrived.
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
