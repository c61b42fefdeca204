/** A message as a consumer gets it, over any broker or http. */
export interface ReceivedMessage {
  /** The event's id, by which repeats are recognised. */
  id: string;
  /** Null where the way it came says no type; `once` then refuses it. */
  type: string | null;
  /** Of the payload; null where it was not sent. */
  version: number | null;
  aggregateType: string | null;
  aggregateId: string | null;
  /** Among the messages of its aggregate, counted from 1 without gaps by its producer; null where it was not sent. */
  sequence: number | null;
  /** RFC 3339; null where it was not sent. */
  createdAt: string | null;
  /** JSON that was parsed; a text that is no JSON; bytes; null for a tombstone. */
  payload: unknown;
  /** The payload as it was sent, where it is text: numbers keep their digits. */
  text: string | null;
  /** All headers, names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Id of the operation that re-published it; null in a first delivery and a retry. */
  replay: string | null;
}
