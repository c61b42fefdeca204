import type {
  Claim,
  ClaimRequest,
  ClaimResult,
  Followed,
  FollowRequest,
  LookAhead,
  LookedAhead,
  RetryRequest,
  Skipped,
  UnreadRow,
} from "./claim.ts";
import type { Head } from "./head.ts";
import type { AcquiredLease, Lease, LeaseRequest } from "./lease.ts";
import type { CompareOrder, OrderKey } from "./outgoing-message.ts";
import type { PauseEntry } from "./pause-entry.ts";
import type { BeatView, RelayHeartbeat } from "./relay-heartbeat.ts";
import type { RelayStream } from "./relay-stream.ts";
import type { RetryEntry } from "./retry-entry.ts";
import type { ReusedIds } from "./reused-ids.ts";
import type { Refund, SettleRequest, SettleResult } from "./settle.ts";
import type { SeenTerm, ShareView } from "./share-view.ts";
import type { SuspectEntry } from "./suspect-entry.ts";

export interface RelayOrdering {
  kind: "aggregate" | "best_effort" | "none";
  reason: string | null;
}

/** The relay's operations on one outbox table. Every method is one short transaction; none waits for a broker. */
export interface RelayTable {
  readonly outbox: string;
  readonly ordering: RelayOrdering;
  /** Number of attempts at which a message is dead: the lower of the relay's and the table's own limit. */
  readonly maxAttempts: number;
  /**
   * Reads use up a budget, which other reads need: a search that order alone needs takes at most a twentieth of the
   * time.
   */
  readonly isMetered?: true;
  /**
   * `claimNew` takes `among`: where each read is a scan, one `lookAhead` serves many claims. Missing in an engine that
   * never scans, and for tables in which rows cannot be found by their keys or a list might break the order.
   */
  readonly claimsByKey?: true;
  /** The log, for a relay that reads it. */
  readonly stream?: RelayStream;
  readonly compareOrder: CompareOrder;
  /**
   * Begins a new term over all partitions without another owner's live lease; null if there are none. Ends the owner's
   * previous term. Raises the epoch, ends every claim whose term is over and returns their messages. Those of a dead
   * owner become suspects.
   */
  acquireLease(request: LeaseRequest): Promise<AcquiredLease | null>;
  /** `silentMs`: instances with an older heartbeat are left out. */
  readShares(input: { silentMs: number }): Promise<ShareView>;
  /** False if the term is over: another owner has the lease, or it was acquired again. */
  renewLease(lease: Lease): Promise<boolean>;
  /**
   * Lets a live term expire that was not renewed since it was seen; false if it was. Only for a term that was silent
   * for its whole lease: its claims end with the next `acquireLease`, like those of any expired term.
   */
  endTerm?(term: SeenTerm): Promise<boolean>;
  /** Ends the lease at once; call it after the last settle. */
  releaseLease(lease: Lease): Promise<void>;
  /** Claims due rows in order. Throws LeaseLostError if the term is over. */
  claimNew(request: ClaimRequest): Promise<ClaimResult>;
  /** True if `claimNew` would find anything now. Claims nothing and does not check the lease; cheaper than a claim. */
  hasNew(request: ClaimRequest): Promise<boolean>;
  /**
   * Searches for the first row that `claimNew` would find, from `after` on, over a bounded number of unsent rows,
   * because rows that stay in the table may be many. Claims nothing.
   */
  findUnread(request: ClaimRequest): Promise<UnreadRow>;
  /**
   * The first row that `claimNew` would find from the start of the table, if it is before this place. Claims nothing.
   */
  findBefore(input: { request: ClaimRequest; before: OrderKey }): Promise<OrderKey | null>;
  /**
   * From a position on (null: the start), the end of a long run of dead or waiting rows, which reads should skip; null
   * if there are few.
   */
  skipDeadRows(after: OrderKey | null): Promise<Skipped | null>;
  /** Positions of the next rows that `claimNew` would find, many more than one claim takes. Claims nothing. */
  lookAhead(request: LookAhead): Promise<LookedAhead>;
  /**
   * Claims due rows of these aggregates in order, and reads a bounded number of unsent rows: the next call continues at
   * `reached`. Missing in an engine that need not read the rows of other aggregates. Throws LeaseLostError.
   */
  claimFollowers?(request: FollowRequest): Promise<Followed>;
  /** Claims due failed messages, oldest due first. Throws LeaseLostError. */
  claimDueRetries(input: RetryRequest): Promise<Claim | null>;
  /** Every waiting failed message of the term's partitions; shows which aggregates are blocked. */
  listRetries(input: { lease: Lease }): Promise<RetryEntry[]>;
  /**
   * Quarantined messages of the term's partitions, least harmful first; each is published with nothing else in flight.
   */
  listSuspects(input: { lease: Lease }): Promise<SuspectEntry[]>;
  /** Number of messages that were in flight when a relay died; as of the last listSuspects. */
  readonly suspectCount: number;
  /**
   * Claims the suspect or an earlier message of its aggregate, marked as alone in flight. `token`: a new one, by which
   * the caller can end the claim also if its answer is lost. Throws LeaseLostError.
   */
  claimSuspect(input: { lease: Lease; suspect: SuspectEntry; token: string }): Promise<Claim | null>;
  /**
   * Claims one message, or an earlier one of its aggregate that was never tried; `from`: no such message is before this
   * position. Includes due retries and left-out event types. Null if the message is gone or not due. Throws
   * LeaseLostError.
   */
  claimHead(input: { lease: Lease; message: Head; from: OrderKey | null }): Promise<Claim | null>;
  /**
   * The first message that `claimNew` would find with an event type not in `excludeTypes`, of an aggregate without such
   * types near the start of the table; if there is none, the last one near its end. With `last`, and without event
   * types, looks only for the last one. Null if there is none. An engine may ignore `last`.
   */
  findHead(input: { request: ClaimRequest; excludeTypes: readonly string[]; last?: boolean }): Promise<Head | null>;
  /** Event types to leave out from now on: their retries, and their messages without an aggregate. */
  leaveOut(eventTypes: readonly string[]): void;
  /**
   * Writes outcomes in one transaction, fenced by the claim rows. Retries after a deadlock or a serialisation failure.
   */
  settle(request: SettleRequest): Promise<SettleResult>;
  /**
   * Refunds attempts that turned out to be the fault of the sink or of a route: each message is due at once. Throws
   * LeaseLostError once the term is over: the last attempt may be the next owner's.
   */
  undoAttempts(input: { lease: Lease; undo: readonly Refund[] }): Promise<void>;
  /** Set by an engine whose `undoAttempts` is no transaction over several messages: call it for one at a time. */
  readonly undoesSingly?: true;
  /**
   * Deletes records of failed messages that are gone and whose ids newer rows reuse, as after a sequence restart. Reads
   * a bounded number of records, from `after` on (null: the first). Missing in an engine that does not compare them.
   */
  dropReusedIds?(after: string | null): Promise<ReusedIds>;
  /** Ends claims of this term that the owner does not know, left by a commit in doubt. */
  endStrayClaims(input: { lease: Lease; knownTokens: readonly string[] }): Promise<void>;
  /** The given messages that were tried or acted on before; their late arrival is no late commit. */
  withHistory(ids: readonly string[]): Promise<string[]>;
  /** Active pauses. Reads and claims of this table use the last result. */
  readPauses(): Promise<readonly PauseEntry[]>;
  /**
   * Writes the heartbeat and returns what an idle relay would otherwise have to query. `silentMs` as in `readShares`.
   */
  writeHeartbeat(beat: RelayHeartbeat, look: { silentMs: number }): Promise<BeatView>;
  /** Number of rows another program published in the last minute, as far as the table shows; otherwise 0. */
  foreignPublishes(): Promise<number>;
  /**
   * Ids in the term's partitions marked as published within `windowMs`, by any program; a sample if there are many.
   * Empty if the table does not show it, or cannot be read cheaply. Null if the table was not read, because the
   * server's statistics, which come late, show nothing new.
   */
  recentlyPublished(input: { lease: Lease; windowMs: number }): Promise<readonly string[] | null>;
  /** Calls `onHint` on each notification of a channel. Only a hint: lost while its connection is down. */
  listen(input: { channel: string; onHint: () => void; onError: (error: unknown) => void }): { stop(): Promise<void> };
  close(): Promise<void>;
}
