/** A message as a consumer gets it, over any broker or http. */
export interface ReceivedMessage {
  /** The event's id, by which repeats are recognised. */
  id: string;
  /** Null if its transport carries no type; `once` then refuses it. */
  type: string | null;
  /** Version of the payload; null if it was not sent. */
  version: number | null;
  aggregateType: string | null;
  aggregateId: string | null;
  /**
   * Number among the messages of its aggregate, counted by its producer from 1 without gaps; null if it was not sent.
   */
  sequence: number | null;
  /** RFC 3339; null if it was not sent. */
  createdAt: string | null;
  /** The parsed value of a JSON text; any other text; bytes; null for a tombstone. */
  payload: unknown;
  /** The payload as it was sent, if it is text: numbers keep their digits. */
  text: string | null;
  /** All headers, names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Id of the operation that re-published it; null in a first delivery and a retry. */
  replay: string | null;
}
