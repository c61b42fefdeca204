import type { Claim } from "./claim.ts";
import type { Lease } from "./lease.ts";
import type { OrderKey, OutgoingMessage } from "./outgoing-message.ts";
import type { StreamPosition, StreamTransaction } from "./stream-transaction.ts";

/** Notice of an inserted row. It identifies the row; the content comes from the table, except with mark `none`. */
export interface Notice {
  /** Encoded primary key, as in OutgoingMessage. */
  id: string;
  aggregateKey: string | null;
  /** The row's own position in the order; with mark `none` its position in the stream. */
  order: OrderKey;
  transaction: StreamTransaction;
  /** The row as inserted; only with mark `none`, otherwise null. */
  message: OutgoingMessage | null;
  /** Size of the row in the stream. */
  bytes: number;
}

export interface StreamEvents {
  notice(notice: Notice): void;
  /** Everything before the position has been delivered; notices since the last commit belong to this one. */
  commit(position: StreamPosition): void;
  /** The server has sent everything up to here, and nothing in between concerns this outbox. */
  position(position: StreamPosition): void;
  /** Some notices were delivered and no more are available right now. */
  flushed(): void;
}

/** An open connection that reads the log. */
export interface OpenStream {
  /** The server may discard its log up to this position. Sent within a moment; never goes back. */
  confirm(position: StreamPosition): void;
  /** Stops reading from the socket, so the server waits. */
  pause(): void;
  resume(): void;
  /** Resolves when the stream ends, with the reason; null after `close`. */
  readonly ended: Promise<StreamProblem | null>;
  /** Sends the last confirmed position and closes. */
  close(): Promise<void>;
}

export interface StreamProblem {
  /** The engine's own code, for logs. */
  code: string;
  /** It may pass without intervention: a lost connection, another reader. */
  passes: boolean;
  /** A connection that is already open goes on and leaves out rows. */
  misses?: boolean;
  /** A sentence an operator can act on. */
  message: string;
  /** The statement that fixes it; null if there is none. */
  sql: string | null;
}

export interface StreamStatus {
  /** The reader's name on the server. */
  name: string;
  /** How much the server retains for the reader; null if it retains nothing any more or that is unknown. */
  lag: { value: number; unit: "bytes" | "seconds" } | null;
  /** `at_risk`: the server is about to remove unread log. */
  state: "ok" | "at_risk" | "lost";
  /** The engine's own word for the state. */
  detail: string | null;
  /** Position up to which the server may discard; null if there is none. */
  confirmed: StreamPosition | null;
}

export interface StreamClaim {
  /** In the order of the notices; null if none of them is to be sent. */
  claim: Claim | null;
  /** Ids whose transaction was not yet visible to the claim; ask for them again in a moment. */
  unseen: readonly string[];
}

/** The log of one outbox: inserts in the order of their commits. */
export interface RelayStream {
  /** The reader's name on the server. */
  readonly name: string;
  /**
   * Keeps a message's state: the table's own columns, the row's presence, or only the stream's position. With
   * `none` the table is never read or written.
   */
  readonly mark: "column" | "delete" | "none";
  /** Why the log cannot be read; null if it can. */
  check(): Promise<StreamProblem | null>;
  status(): Promise<StreamStatus>;
  /** Reads from the last confirmed position on. Throws StreamError. */
  open(events: StreamEvents): Promise<OpenStream>;
  /** Claims the noticed messages that are still unsent. Throws LeaseLostError. */
  claim(input: { lease: Lease; notices: readonly Notice[] }): Promise<StreamClaim>;
  /**
   * The first unsent rows; one that stays among them was missed by the stream. `scheduled`: the row names a time before
   * which it must not be sent. Not with mark `none`.
   */
  unsent(input: { limit: number; excludeAggregates: readonly string[] }): Promise<{ id: string; scheduled: boolean }[]>;
  /** Log position of a message, from its order. Mark `none` only: otherwise the order is the row's own. */
  positionOf(order: OrderKey): StreamPosition;
  /** The table has a column for the time before which a message must not be sent. */
  readonly schedules: boolean;
  /**
   * Stores messages in the store side for the retry path, behind those of their aggregate that already wait there. Mark
   * `none` only: otherwise the table keeps them. Returns the ids of those that are there now: an id has one record, and
   * that of an earlier message, such as a dead one, stays; what follows in the aggregate is left out too. Throws
   * LeaseLostError.
   */
  park(input: { lease: Lease; messages: readonly OutgoingMessage[] }): Promise<readonly string[]>;
}

export class StreamError extends Error {
  override readonly name = "StreamError";
  readonly problem: StreamProblem;
  constructor(problem: StreamProblem, cause?: unknown) {
    super(problem.message, cause === undefined ? undefined : { cause });
    this.problem = problem;
  }
}
