import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";

/** A message without an aggregate is in a lane of its own, named by its id behind a character that no key has. */
const ALONE = "\u0000";

export function laneNameOf({ aggregateKey, id }: Pick<OutgoingMessage, "aggregateKey" | "id">): string {
  return aggregateKey ?? ALONE + id;
}

/** The id of the message that is alone in its lane; null for the lane of an aggregate. */
export function idOfLane(name: string): string | null {
  return name.startsWith(ALONE) ? name.slice(ALONE.length) : null;
}
