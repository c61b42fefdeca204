import type { FailureGrouping } from "#domain/message/failure-grouping.ts";
import type { BlockedPage, BlockedPageRequest } from "./blocked-aggregates.ts";
import type { FailuresRead } from "./failure-groups.ts";
import type { JudgedTable } from "./index-advice.ts";
import type { BytesRequest, MessageBytes, StoredMessage } from "./message-detail.ts";
import type { MessageFilter, MessageRow } from "./message-row.ts";
import type { CounterReading, OutboxFigures } from "./outbox-figures.ts";
import type { OutgoingMessage } from "./relay/outgoing-message.ts";

export interface MessagePageRequest {
  filter: MessageFilter;
  /** Where the last page ended; opaque. */
  cursor?: string | undefined;
  limit: number;
  /** False leaves the count out, which may cost more than the page; `matching` is then null. */
  count?: boolean | undefined;
}

export interface MessagePage {
  rows: MessageRow[];
  nextCursor: string | null;
  /**
   * Set if only `read` entries of those that may match were examined; null for a complete page. `index`: SQL of an
   * index that would help; empty if there is none. `skipped`: some of the other rows are on no later page either.
   */
  partial: { read: number; index: string; skipped: boolean } | null;
  /** How many match, this page included; null if unknown, or if the request asked for no count. */
  matching: { value: number; capped: boolean } | null;
  /**
   * Of an outbox whose relay marks no row: messages of the tab that only our records keep, because their rows are gone.
   * No page lists them, under any filter. Not counted where `count` is false.
   */
  recordedOnly: { value: number; capped: boolean };
  asOf: string;
}

/** A message without its payload: the values by which a route may choose. */
export type SampledMessage = Omit<OutgoingMessage, "payload" | "payloadKind">;

/** Values of the column that marks the state, most frequent first, of the `read` newest rows. */
export interface StatusValues {
  column: string;
  /** Null for NULL. */
  values: { value: string | null; rows: number }[];
  read: number;
  /** More rows are there than were read. */
  more: boolean;
}

/** Read-only queries on one outbox. Each reads one snapshot and has its own time limit. */
export interface OutboxReader {
  figures(): Promise<OutboxFigures>;
  /** Throws: filter_not_indexed, when it would read the whole of a large table. */
  list(request: MessagePageRequest): Promise<MessagePage>;
  /** Null when it is not there. Throws: not_found, for an id that none of this outbox can have. */
  message(id: string): Promise<StoredMessage | null>;
  /**
   * The messages of these ids that are there, wherever they are kept, in any order; from where writes go. An id that no
   * message can have is not there. `decided`: the versions of failed ones say what an operator decides on, as those of
   * `message` do; costs a query for each.
   */
  find(ids: readonly string[], how?: { decided?: boolean }): Promise<MessageRow[]>;
  /** By the key's id, the id that consumers record of each message that is in the table; from where writes go. */
  eventIds(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * The messages of these ids that are in the table, as a relay would publish them, in any order; from where writes go.
   * `fields`: further columns, as `sample` has them. Throws wrong_state where
   * StoreCapabilities.republish is false.
   */
  outgoing(ids: readonly string[], fields: Readonly<Record<string, string>>): Promise<OutgoingMessage[]>;
  /** Null when the message is not there. Throws: not_found, as `message` does. */
  bytes(id: string, request: BytesRequest): Promise<MessageBytes | null>;
  /** `native` is never grouped. */
  failures(by: FailureGrouping): Promise<FailuresRead>;
  /**
   * The relay instance of the last failed attempt by message id, where one is recorded. Null where the store would have
   * to read each message's attempts separately.
   */
  failedBy(ids: readonly string[]): Promise<ReadonlyMap<string, string> | null>;
  /** Aggregates whose later messages wait, by our own records; none without the store side. */
  blocked(request: BlockedPageRequest): Promise<BlockedPage>;
  /** Whether any message of the event type or aggregate exists, in any state; null if unknown. */
  has(subject: { eventType: string } | { aggregateKey: string }): Promise<boolean | null>;
  /**
   * The first unsent messages and the newest. `fields`: further columns, by the names that the messages have them
   * under.
   */
  sample(fields: Readonly<Record<string, string>>): Promise<SampledMessage[]>;
  /** Null if no single column marks the state. */
  statusValues(): Promise<StatusValues | null>;
  counters(): Promise<CounterReading>;
  /** Judged by planning statements. `relay`: whether ours keeps aggregates in order; null without one. */
  judgeIndexes(relay: { lanes: boolean } | null): Promise<JudgedTable>;
}
