import type { Claim, ClaimRequest, ClaimResult, LookAhead, LookedAhead, Skipped, UnreadRow } from "./claim.ts";
import type { Head } from "./head.ts";
import type { AcquiredLease, Lease, LeaseRequest } from "./lease.ts";
import type { OrderKey } from "./outgoing-message.ts";
import type { PauseEntry } from "./pause-entry.ts";
import type { BeatView, RelayHeartbeat } from "./relay-heartbeat.ts";
import type { RelayStream } from "./relay-stream.ts";
import type { RetryEntry } from "./retry-entry.ts";
import type { SettleRequest, SettleResult } from "./settle.ts";
import type { ShareView } from "./share-view.ts";
import type { SuspectEntry } from "./suspect-entry.ts";

export interface RelayOrdering {
  kind: "aggregate" | "best_effort" | "none";
  reason: string | null;
}

/** The relay's side of one outbox table. Every method is one short transaction; none waits for a broker. */
export interface RelayTable {
  readonly outbox: string;
  readonly ordering: RelayOrdering;
  /** Attempts from which a message is dead: the relay's limit, or the table's own where that is lower. */
  readonly maxAttempts: number;
  /** The log, for a relay that notices messages in it. */
  readonly stream?: RelayStream;
  compareOrder(left: OrderKey, right: OrderKey): number;
  /**
   * Begins a new term over what nobody else's live lease covers; null when that is nothing. The owner's own term before
   * it ends with it. Raises the epoch and ends every claim whose term is over, whose messages it returns.
   * Those of a dead owner become suspects.
   */
  acquireLease(request: LeaseRequest): Promise<AcquiredLease | null>;
  /** `silentMs`: an instance whose heartbeat is older takes no part. */
  readShares(input: { silentMs: number }): Promise<ShareView>;
  /** False when the term is over: someone else has the lease, or it was taken again. */
  renewLease(lease: Lease): Promise<boolean>;
  /** Ends the lease at once, after the last settle. */
  releaseLease(lease: Lease): Promise<void>;
  /** Throws LeaseLostError when the term is over. */
  claimNew(request: ClaimRequest): Promise<ClaimResult>;
  /** Whether `claimNew` would find anything now. Claims nothing and does not look at the lease; cheaper than a claim. */
  hasNew(request: ClaimRequest): Promise<boolean>;
  /**
   * Looks for the first row that `claimNew` would find, from `after` on, over a bounded number of unsent rows: those that
   * stay in the table are many. Claims nothing.
   */
  findUnread(request: ClaimRequest): Promise<UnreadRow>;
  /**
   * Where rows that are kept as dead or waiting beside them end, from a position on (null: the start), when they are so
   * many that a read should not walk over them; else null.
   */
  skipDeadRows(after: OrderKey | null): Promise<Skipped | null>;
  /** The places of the next rows that `claimNew` would find, many more than it would. Claims nothing. */
  lookAhead(request: LookAhead): Promise<LookedAhead>;
  /** Claims failed messages that are due, oldest due first. Throws LeaseLostError. */
  claimDueRetries(input: { lease: Lease; limit: number; excludeIds: readonly string[] }): Promise<Claim | null>;
  /** Every failed message of the term's partitions that waits: to know the blocked aggregates after a takeover and after operators acted. */
  listRetries(input: { lease: Lease }): Promise<RetryEntry[]>;
  /** Messages of the term's partitions that may only be published alone, those first that did the least. */
  listSuspects(input: { lease: Lease }): Promise<SuspectEntry[]>;
  /** How many messages are known that were with a relay when it died; as of the last listSuspects. */
  readonly suspectCount: number;
  /** Claims the suspect, or an earlier message of its aggregate; a claim that says that it is alone. Throws LeaseLostError. */
  claimSuspect(input: { lease: Lease; suspect: SuspectEntry }): Promise<Claim | null>;
  /**
   * Claims one message, or an earlier one of its aggregate that was never tried; `from`: none is before that place. Also
   * what waits for a retry and is due, and what is left out. Null when it is not there any more. Throws LeaseLostError.
   */
  claimHead(input: { lease: Lease; message: Head; from: OrderKey | null }): Promise<Claim | null>;
  /**
   * The first message that `claimNew` would find of another event type than these, at the head of an aggregate that has
   * none of them near the start of the table. Null when there is none among the first rows, or no event types.
   */
  findHead(input: { request: ClaimRequest; excludeTypes: readonly string[] }): Promise<Head | null>;
  /** From now on: event types of which retries, and messages without an aggregate, are left out of the claims. */
  leaveOut(eventTypes: readonly string[]): void;
  /** Writes outcomes in one transaction, fenced by the claim rows. Tries again what a lock or a deadlock refused. */
  settle(request: SettleRequest): Promise<SettleResult>;
  /** Takes back attempts that were burned before it showed that the environment was to blame. */
  undoAttempts(input: { lease: Lease; undo: readonly { id: string; attempts: number }[] }): Promise<void>;
  /** Ends claims of this term that the owner knows nothing of: a commit that was in doubt. */
  endStrayClaims(input: { lease: Lease; knownTokens: readonly string[] }): Promise<void>;
  /** Which of these messages were tried or acted on before: their late arrival is no late commit. */
  withHistory(ids: readonly string[]): Promise<string[]>;
  /** What is paused. Reads and claims of this table keep to what was read last. */
  readPauses(): Promise<readonly PauseEntry[]>;
  /** Also tells what an idle relay would else have to ask for. `silentMs` as in `readShares`. */
  writeHeartbeat(beat: RelayHeartbeat, look: { silentMs: number }): Promise<BeatView>;
  /** Rows published by someone else in the last minute, as far as the table can tell; 0 when none. */
  foreignPublishes(): Promise<number>;
  /**
   * Ids of the term's partitions that were marked as published so long ago at most, by whomever; a sample of them where
   * there are many. Empty when the table does not tell, or cannot be asked cheaply.
   */
  recentlyPublished(input: { lease: Lease; windowMs: number }): Promise<readonly string[]>;
  /** Calls `onHint` when something is said on a channel: never relied upon, and gone while its connection is. */
  listen(input: { channel: string; onHint: () => void; onError: (error: unknown) => void }): { stop(): Promise<void> };
  close(): Promise<void>;
}
