/** A message as the relay needs it. Text values are exactly as stored. */
export interface OutgoingMessage {
  /** Encoded primary key: the id of the API and of every header. */
  id: string;
  /** Value of the `id` role as text: what consumers know the message by. */
  eventId: string;
  /** Aggregate type and id as one key; null when the mapping has no aggregate or the row none: then it is its own lane. */
  aggregateKey: string | null;
  aggregateType: string | null;
  aggregateId: string | null;
  eventType: string | null;
  topic: string | null;
  /** Text of the headers column, JSON where it is JSON. */
  headers: string | null;
  /** Text as stored; base64 when `payloadKind` is `binary`. */
  payload: string | null;
  /** `json`: the column's type says that it is JSON; `text`: anything; `binary`: bytes, carried as base64. */
  payloadKind: "json" | "text" | "binary";
  /** More columns of the row, by the names of `relay.route.fields`. */
  fields?: Readonly<Record<string, string | null>>;
  /** RFC 3339 in UTC, up to microseconds. */
  createdAt: string | null;
  /** The row named a time before which it must not be sent, so that its place in the order says nothing. */
  scheduled: boolean;
  /** Position in the order of first deliveries: opaque, compare with `RelayTable.compareOrder`. */
  order: OrderKey;
  /** Attempts that failed so far. */
  attempts: number;
  /** It came by the retry path: something is kept beside its row, which its success ends. */
  retried?: boolean;
}

/** [order or created time, id], both as text that the database gave and takes back. */
export type OrderKey = readonly [string, string];
