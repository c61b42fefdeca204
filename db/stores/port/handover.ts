import type { Actor } from "#domain/operator.ts";

/** Names of a reader of the log and of its feed, e.g. slot and publication. */
export interface LogNames {
  reader: string;
  feed: string;
}

/**
 * Place in the log that another publisher has stored: decimal numbers as text, null for those that it does not store.
 */
export type StoredPlace = PlaceOfChange | PlaceInFile;

export interface PlaceOfChange {
  by: "change";
  /** End of the last transaction that it has finished. */
  commit: string | null;
  /** The last change that it has sent, and the transaction of that change. */
  change: string | null;
  transaction: string | null;
}

export interface PlaceInFile {
  by: "file";
  /** Start of the first transaction that it has not finished. */
  file: string;
  offset: string;
  /** The transactions that it has finished; null if the server does not number them. */
  transactions: string | null;
  /** Number of events that it has sent of that transaction, and of rows of the next event. */
  events: string | null;
  rows: string | null;
  /** Its events include those that quote a statement, where the server sends them on request only. */
  quotes: boolean;
}

/** The place at which a connector has to begin, in the format of its offsets. */
export type ConnectorOffset = Readonly<Record<string, string | number>>;

export interface ReaderState {
  /** The confirmed position, for people. */
  position: string;
  inUse: boolean;
  /** The server has removed log that it needed. */
  lost: boolean;
  /** The offset to give to a connector; null if the server itself keeps the place. */
  offset: ConnectorOffset | null;
}

/** A problem to solve first: a sentence, and the statement that solves it if there is one. */
export interface HandoverProblem {
  message: string;
  sql: string | null;
}

/** Rows that no mark calls published, counted up to a limit. */
export interface WaitingCounts {
  /** A relay would publish them. */
  waiting: number;
  /** Neither sent nor waiting: dead, expired or in an unknown state. A reader of the log never sends them. */
  left: number;
}

/** A place in the log that divides all rows: those committed before it, and those that its reader will get. */
export interface Boundary {
  /** For people. */
  position: string;
  /** As in ReaderState. */
  offset: ConnectorOffset | null;
  /** Messages committed before it and not published, in the order of first deliveries. */
  unsent: string[];
  /** Creates a reader that begins at the place and stays. Without this call nothing stays on the server. */
  keep(): Promise<void>;
  close(): Promise<void>;
}

/** The unsent messages of a table, divided by how far another publisher came. */
export interface Division {
  /** Number of messages after that place, which it has not sent. */
  behind: number;
  /** How many of those it may have sent: the place does not distinguish them. */
  doubtful: number;
  /** The next messages that it has sent and that are not marked; null at the end. */
  next(): Promise<string[] | null>;
  close(): Promise<void>;
}

export interface MarkRequest {
  ids: readonly string[];
  actor: Actor;
  /** The audit's action, reason and detail. */
  action: string;
  reason: string;
  detail: string;
}

/**
 * The change from our relay to a publisher that reads the log, and back. The whole outbox is paused for its duration,
 * which every writing method checks. Throws StoreError; wrong_state if the pause was ended.
 */
export interface OutboxHandover {
  /**
   * Who keeps the place where a connector begins: the server, in a slot, or Kafka Connect, as the connector's offset.
   */
  readonly keeps: "slot" | "offset";
  /** The database's product, e.g. `Postgres`: each has a connector of its own. */
  product(): Promise<string>;
  /** Problems of the server or the feed. */
  problems(names: LogNames): Promise<HandoverProblem[]>;
  /** Null if there is no such reader. */
  reader(name: string): Promise<ReaderState | null>;
  /** Number of messages in claims, of relays that live or not. */
  claimed(): Promise<number>;
  counts(most: number): Promise<WaitingCounts>;
  /**
   * Divides the rows at a place that begins now. Waits for the transactions that are open, at most `waitMs`; then
   * throws `locked`, with the session that has been open longest.
   */
  openBoundary(input: LogNames & { waitMs: number; most: number }): Promise<Boundary>;
  /**
   * `place`: null for the place that the reader has confirmed. `most`: number of messages after it that are kept in
   * memory; more are `invalid_input`. Throws wrong_state, if the reader has confirmed more than `place` says.
   */
  openDivision(input: LogNames & { place: StoredPlace | null; most: number }): Promise<Division>;
  /** Marks messages as published, with one audit row, in one transaction; returns how many were still unsent. */
  mark(request: MarkRequest): Promise<number>;
  /** Removes the record of a reader, where it is ours and not the server's. */
  forget(name: string): Promise<void>;
}
