/** States of a message, in order of precedence. `archived` depends only on where the message is kept. */
export const MESSAGE_STATES = [
  "unknown",
  "dead",
  "published",
  "expired",
  "in_flight",
  "failed",
  "pending",
  "archived",
] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** States whose messages are still to be sent. */
export const UNSENT_STATES = ["pending", "failed", "in_flight"] as const satisfies readonly MessageState[];

export const MESSAGE_ACTIONS = ["retry", "dead-letter", "archive", "restore", "purge"] as const;
export type MessageAction = (typeof MESSAGE_ACTIONS)[number];

export interface Transition {
  action: MessageAction;
  from: readonly MessageState[];
  /** "previous" is the state the message had before it was archived. */
  to: MessageState | "previous" | "gone";
}

/**
 * Operator actions by state. docs/state-machine.md draws this table; a test keeps the two equal. A message in a live
 * claim is refused with `in_flight`; with an expired claim it has the state from before the claim, and can be retried
 * even if that is `pending`.
 */
export const TRANSITIONS: readonly Transition[] = [
  { action: "retry", from: ["failed", "dead"], to: "pending" },
  { action: "dead-letter", from: ["pending", "failed", "unknown"], to: "dead" },
  { action: "archive", from: ["published", "dead", "expired"], to: "archived" },
  { action: "restore", from: ["archived"], to: "previous" },
  { action: "purge", from: ["archived"], to: "gone" },
];

export function transitionFor(action: MessageAction): Transition {
  const transition = TRANSITIONS.find((candidate) => candidate.action === action);
  if (!transition) throw new Error(`No transition is declared for ${action}`);
  return transition;
}

/** What decides whether an action is possible on a message. */
export interface ActionFacts {
  state: MessageState;
  /** A relay's claim on it has expired. */
  claimExpired: boolean;
  /** The table marks it as claimed, without an expiry. */
  claimUndated: boolean;
}

/** True when `action` is possible: never on a message in flight. A retry also takes back an expired claim. */
export function canPerform(
  action: MessageAction,
  { state, claimExpired }: Pick<ActionFacts, "state" | "claimExpired">,
): boolean {
  if (action === "retry" && state === "pending" && claimExpired) return true;
  return transitionFor(action).from.includes(state);
}

const REFUSALS: Partial<Record<MessageAction, Partial<Record<MessageState, string>>>> = {
  retry: {
    pending: "It is already waiting to be sent.",
    published: "The sink has confirmed it. If consumers need a repeat, re-publish it from the list.",
    archived: "It is archived: restore it first.",
    expired: "It has expired and will never be sent.",
    unknown: "The mapping does not say its state: map it first, or dead-letter it.",
  },
  "dead-letter": {
    dead: "It is already dead.",
    published: "It is published: there is nothing to dead-letter.",
    archived: "It is archived: restore it first.",
    expired: "It has expired: archive it.",
  },
  archive: {
    pending: "It is still to be sent: dead-letter it first.",
    failed: "It is still to be sent: dead-letter it first.",
    in_flight: "A relay is publishing it right now.",
    archived: "It is already archived.",
    unknown: "The mapping does not say its state: dead-letter it first.",
  },
};

/** For a claim that is only a status value: the table does not say whether its owner still publishes the message. */
const UNDATED_CLAIM =
  "Its row says that another program is publishing it, and no column says when that claim expires: a retry now could publish it twice. Make sure that the program is gone, then release the row with its own tools. Or name the column with the claim's expiry under columns.lockedUntil in outbox.yaml; expired claims can then be retried here.";

/** Why `action` is not possible on a message, as a sentence; undefined when it is possible. */
export function refusalReason(action: MessageAction, message: ActionFacts): string | undefined {
  const { state, claimUndated } = message;
  if (canPerform(action, message)) return undefined;
  if (state === "in_flight" && claimUndated) return UNDATED_CLAIM;
  if (state === "in_flight") return "A relay is publishing it right now; try again in a moment.";
  return REFUSALS[action]?.[state] ?? `A message that is ${state.replace("_", " ")} cannot be changed by ${action}.`;
}
