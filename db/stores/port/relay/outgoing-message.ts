/**
 * A row that may be sent so soon after its creation counts as never scheduled: the database or the producer writes both
 * times. Less than the watermark waits before it passes a new row.
 */
export const AT_ONCE_MS = 1000;

/** A message as the relay publishes it. Text values are exactly as stored. */
export interface OutgoingMessage {
  /** Encoded primary key: the id in the API and in headers. */
  id: string;
  /** Value of the `id` role as text: the id that consumers see. */
  eventId: string;
  /** Aggregate type and id as one key; null without an aggregate, in which case the message is its own lane. */
  aggregateKey: string | null;
  aggregateType: string | null;
  aggregateId: string | null;
  eventType: string | null;
  topic: string | null;
  /** The headers column as text, JSON if it is JSON. */
  headers: string | null;
  /** Text as stored; base64 when `payloadKind` is `binary`. */
  payload: string | null;
  /** `json`: the column has a JSON type; `text`: any other text; `binary`: bytes as base64. */
  payloadKind: "json" | "text" | "binary";
  /** Further columns of the row, by their names in `relay.route.fields`. */
  fields?: Readonly<Record<string, string | null>>;
  /** RFC 3339 in UTC, up to microseconds. */
  createdAt: string | null;
  /**
   * The row names a time before which it must not be sent, later than its creation, so its position does not show when
   * it became due. Without a creation time: it names any such time.
   */
  scheduled: boolean;
  /** Position in the order of first deliveries. Opaque; compare with `RelayTable.compareOrder`. */
  order: OrderKey;
  /** Failed attempts so far. */
  attempts: number;
  /** The row's own greatest number of attempts; absent where it has none. */
  mostAttempts?: number;
  /**
   * Id of the operation that re-publishes it; the receiver sees it in a header. Absent in a first delivery or a retry.
   */
  replay?: string;
  /** From which row it was read; opaque outside its engine. A settle leaves a later row of the same key alone. */
  version?: unknown;
  /** Claimed by the retry path: our record of its failures must be removed on success. */
  retried?: boolean;
}

/** [order or created time, id], both as text from the database, accepted by it unchanged. */
export type OrderKey = readonly [string, string];

/** Compares two positions in the order of first deliveries; negative if the left one comes first. */
export type CompareOrder = (left: OrderKey, right: OrderKey) => number;
