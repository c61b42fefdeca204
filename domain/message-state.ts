/** States of a message, in the order of precedence: the state is the first that holds. `archived` is by place. */
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
 * What an operator may do to a message, by state. docs/state-machine.md draws this table and a test holds the two
 * together. A message in a live claim is refused with `in_flight`; an expired claim counts as what it was before.
 */
export const TRANSITIONS: readonly Transition[] = [
  { action: "retry", from: ["failed", "dead", "in_flight"], to: "pending" },
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

/** True when `action` is possible on a message in `state` that no live claim holds. */
export function canPerform(action: MessageAction, state: MessageState): boolean {
  return state !== "in_flight" && transitionFor(action).from.includes(state);
}

const REFUSALS: Partial<Record<MessageAction, Partial<Record<MessageState, string>>>> = {
  retry: {
    pending: "It is waiting for its first attempt already.",
    published: "The sink has confirmed it; publish it again from its producer if consumers need a repeat.",
    archived: "It is archived: restore it first.",
    expired: "It has expired and will never be sent.",
    unknown: "Its status is not named by the mapping: map the status first, or dead-letter it.",
  },
  "dead-letter": {
    dead: "It is dead already.",
    published: "It was published; there is nothing left to give up on.",
    archived: "It is archived: restore it first.",
    expired: "It has expired: archive it.",
  },
  archive: {
    pending: "It is still to be sent: dead-letter it first.",
    failed: "It is still to be sent: dead-letter it first.",
    in_flight: "A relay is publishing it right now.",
    archived: "It is archived already.",
    unknown: "Its status is not named by the mapping: dead-letter it first.",
  },
};

/** A claim that is only a word of the status: whether its owner still publishes the message, nothing in the table says. */
const UNDATED_CLAIM =
  "Its status says that another program publishes it, and no column says until when: that program may be at it right now, and would publish it a second time. Make sure that it is gone, and set the status back with its own tools; or name the column that says until when a claim holds under columns.lockedUntil in outbox.yaml, and a claim that has expired can be retried here.";

/**
 * Why `action` is not possible on a message, as a sentence; undefined when it is possible. `claimUndated`: the table says
 * that the message is claimed, and never until when.
 */
export function refusalReason(
  action: MessageAction,
  { state, claimUndated }: { state: MessageState; claimUndated: boolean },
): string | undefined {
  if (canPerform(action, state)) return undefined;
  if (state === "in_flight" && claimUndated) return UNDATED_CLAIM;
  if (state === "in_flight") return "A relay is publishing it right now; try again in a moment.";
  return REFUSALS[action]?.[state] ?? `A message that is ${state.replace("_", " ")} cannot be changed by ${action}.`;
}
