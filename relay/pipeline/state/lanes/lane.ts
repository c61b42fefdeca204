import type { CompareOrder, OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";

/** A claimed message in memory, from its claim until its settle is committed. */
export interface ClaimedMessage {
  readonly message: OutgoingMessage;
  readonly token: string;
  readonly lane: Lane;
  /**
   * True if it came from the retry path: it has failed before, and its place in the order is recorded in the store
   * side.
   */
  readonly retry: boolean;
  /** True if it waited behind another message of its aggregate, and so is published between new ones. */
  readonly followed: boolean;
}

/**
 * `placed`: by its order. `in_turn`: last, because messages come in the right order. `followed`: by its order; see
 * `ClaimedMessage`.
 */
export type HowAdded = "placed" | "in_turn" | "followed";

/** The messages of one aggregate in order; at most one run of them is with the sink. */
export interface Lane {
  readonly key: string | null;
  queue: ClaimedMessage[];
  inFlight: number;
  /** All its messages in memory, including those whose settle is not yet committed. */
  total: number;
  /** Messages on their way back to the table: later ones must not be published before these are read again. */
  returning: number;
  /**
   * Messages whose death is not yet committed: if it is lost, they are published again, and must not follow later ones.
   */
  dying: number;
}

/** True of a message that lets new ones go first. */
export const yields = ({ retry, followed }: ClaimedMessage) => retry || followed;

/** Puts a message into its lane's queue: by `compare`, or last where messages come in the right order. */
export function enqueue(claimed: ClaimedMessage, compare: CompareOrder | null): void {
  const { lane, message } = claimed;
  const { queue } = lane;
  let place = queue.length;
  while (compare && place > 0 && compare(queue[place - 1]!.message.order, message.order) > 0) place -= 1;
  // Most lanes have one message: an array that grows from nothing reserves 17 places.
  if (queue.length === 0) lane.queue = [claimed];
  else if (place === queue.length) queue.push(claimed);
  else queue.splice(place, 0, claimed);
}

/** Usually takes the whole queue, which then needs no copy. */
export function takeFirst(lane: Lane, most: number): ClaimedMessage[] {
  if (lane.queue.length > most) return lane.queue.splice(0, most);
  const all = lane.queue;
  lane.queue = [];
  return all;
}
