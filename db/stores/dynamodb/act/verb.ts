import type { TableDescription, TransactWriteItem } from "@aws-sdk/client-dynamodb";
import type { VerbRequest } from "../../port/verb.ts";
import type { Item } from "../items/item.ts";
import type { DeadDoc } from "../items/moved.ts";
import type { DeliveryDoc } from "../own-table/relay-docs.ts";
import type { FoundMessage } from "../read/find-message.ts";
import type { Room } from "../room.ts";

export interface VerbContext {
  room: Room;
  found: FoundMessage;
  request: VerbRequest;
  /** The team's table as it is now. */
  table: TableDescription;
  /** Version of the records that are written. */
  v: string;
  /** RFC 3339. */
  at: string;
}

/** Documents of our records. */
interface StaysBeside {
  dead?: DeadDoc | null | undefined;
  delivery?: DeliveryDoc | null | undefined;
}

/**
 * The writes of an action, each with the condition that nothing changed since it was read, and a sentence about them.
 */
export interface Deed {
  writes: TransactWriteItem[];
  message: string;
  /** The message's version once they are done; null if it is gone. */
  version: string | null;
  /** Its item in the team's table once they are done, with our records of it; null if it is not there. */
  stays: { item: Item; beside: StaysBeside } | null;
}

/** Throws wrong_state or conflict where the action is impossible. Writes nothing: returns the writes. */
export type Verb = (context: VerbContext) => Deed | Promise<Deed>;
