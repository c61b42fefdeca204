import type { MessageRow } from "../../port/message-row.ts";

/** Places of messages that have left their table. */
export type MovedPlace = "dead_letter" | "archive";

export type Place = "table" | MovedPlace;

/** A message and where it was found. */
export interface FoundMessage {
  row: MessageRow;
  place: Place;
}

/** The row's own status; null for a message that is not in its table. */
export function currentStatus(found: FoundMessage): string | null {
  return found.place === "table" ? found.row.rawStatus : null;
}
