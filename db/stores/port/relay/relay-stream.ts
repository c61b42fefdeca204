import type { Claim } from "./claim.ts";
import type { Lease } from "./lease.ts";
import type { OrderKey, OutgoingMessage } from "./outgoing-message.ts";
import type { StreamPosition, StreamTransaction } from "./stream-transaction.ts";

/** A row was inserted. It says which; the row itself says what is to be sent, unless its table is not to be read. */
export interface Notice {
  /** Encoded primary key, as in OutgoingMessage. */
  id: string;
  aggregateKey: string | null;
  /** The row's own place in the order; with mark `none` the place in the stream. */
  order: OrderKey;
  transaction: StreamTransaction;
  /** The row as it was inserted: only where the table's rows say nothing (mark: none). */
  message: OutgoingMessage | null;
  /** Size of the row in the stream. */
  bytes: number;
}

export interface StreamEvents {
  notice(notice: Notice): void;
  /** Everything before the position has been told; what was noticed since the last commit belongs to it. */
  commit(position: StreamPosition): void;
  /** The server has sent everything up to here; there is nothing for us in between. */
  position(position: StreamPosition): void;
  /** Some notices have been told and no more are at hand right now. */
  flushed(): void;
}

/** An open connection that reads the log. */
export interface OpenStream {
  /** What may be forgotten by the server. Told within a moment; never goes back. */
  confirm(position: StreamPosition): void;
  /** Stops reading from the socket; the server waits. */
  pause(): void;
  resume(): void;
  /** Resolves when it is over, with the reason unless `close` was called. */
  readonly ended: Promise<StreamProblem | null>;
  /** Tells the last confirmed position and closes. */
  close(): Promise<void>;
}

export interface StreamProblem {
  /** The engine's own word, for logs. */
  code: string;
  /** It may end by itself: a connection that was lost, another reader. */
  passes: boolean;
  /** A sentence an operator can act on. */
  message: string;
  /** The statement that mends it, where there is any. */
  sql: string | null;
}

export interface StreamStatus {
  /** As the server knows the reader. */
  name: string;
  /** How much the server keeps for it; null where it keeps nothing any more, or that is not known yet. */
  lag: { value: number; unit: "bytes" | "seconds" } | null;
  /** `at_risk`: the server is about to remove what was not read yet. */
  state: "ok" | "at_risk" | "lost";
  /** The engine's own word for the state. */
  detail: string | null;
  /** Up to where the server may forget; null where there is no such place. */
  confirmed: StreamPosition | null;
}

export interface StreamClaim {
  /** In the order of the notices; null when none of them is to be sent. */
  claim: Claim | null;
  /** Ids whose transaction was not visible yet when the claim looked: to be asked for again in a moment. */
  unseen: readonly string[];
}

/** The log of one outbox: inserts in the order of their commits. */
export interface RelayStream {
  /** As the server knows the reader. */
  readonly name: string;
  /**
   * What keeps a message's state: the table's own columns, the row's presence, or nothing but the stream's position.
   * With `none` the table is never asked and never written.
   */
  readonly mark: "column" | "delete" | "none";
  /** Why it cannot be read; null when it can. */
  check(): Promise<StreamProblem | null>;
  status(): Promise<StreamStatus>;
  /** Throws StreamError. Reads from the last confirmed position on. */
  open(events: StreamEvents): Promise<OpenStream>;
  /** Claims those of the noticed messages that are still to be sent. Throws LeaseLostError. */
  claim(input: { lease: Lease; notices: readonly Notice[] }): Promise<StreamClaim>;
  /**
   * The first rows that are to be sent: what stays among them has been missed. `scheduled`: the row names a time before
   * which it must not be sent. Not with mark `none`.
   */
  unsent(input: { limit: number; excludeAggregates: readonly string[] }): Promise<{ id: string; scheduled: boolean }[]>;
  /** Where in the log a message was told of, by its order. Mark `none` only: elsewhere the order is the row's own. */
  positionOf(order: OrderKey): StreamPosition;
  /** The table has a column for a time before which a message must not be sent. */
  readonly schedules: boolean;
  /**
   * Keeps messages in the store side, to be sent by the retry path after those of their aggregate that wait there
   * already. Mark `none` only: elsewhere the table keeps them. Throws LeaseLostError.
   */
  park(input: { lease: Lease; messages: readonly OutgoingMessage[] }): Promise<void>;
}

export class StreamError extends Error {
  override readonly name = "StreamError";
  readonly problem: StreamProblem;
  constructor(problem: StreamProblem, cause?: unknown) {
    super(problem.message, cause === undefined ? undefined : { cause });
    this.problem = problem;
  }
}
