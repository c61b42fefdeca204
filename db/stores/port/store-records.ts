import type { AuditPage, AuditRecord, AuditRow } from "./audit.ts";
import type { BulkRecords } from "./bulk-records.ts";
import type { MappingFingerprint } from "./mapping-fingerprint.ts";
import type { AuditedChange, NewOperation, StoredOperation } from "./operations.ts";
import type { PauseRow } from "./pauses.ts";
import type { LeaseRow, RelayRow, RelayTotals } from "./relay-rows.ts";

export interface FingerprintEntry {
  outbox: string;
  fingerprint: MappingFingerprint;
  by: string;
}

/** This program's own records in a store, in a separate schema. The schema must exist: see Store.catalog. */
export interface StoreRecords {
  /** Null where the engine cannot keep bulk operations. */
  readonly bulk: BulkRecords | null;
  relays(
    outbox: string,
  ): Promise<{ relays: RelayRow[]; leases: LeaseRow[]; paused: { pauses: PauseRow[]; total: number } }>;
  totals(outbox: string): Promise<RelayTotals>;
  /** Pauses that hold back one message, of its type or its aggregate; the last to end first. */
  pausesOf(message: { outbox: string; eventType: string | null; aggregateKey: string | null }): Promise<PauseRow[]>;

  /** Entries of the page, newest first; fewer than `limit` only at the end. */
  audit(page: AuditPage): Promise<AuditRow[]>;

  /**
   * Records that an operation begins, with its targets in `first(at)`; with a key that this actor has used, returns the
   * earlier one instead. `first` gets the store's time of the beginning. Throws StoreError `commit_in_doubt`.
   */
  beginOperation(operation: NewOperation, first: (at: string) => unknown): Promise<StoredOperation>;
  /**
   * The operation that this actor began with the key; null if none. Read from the primary, never from a lagging
   * replica.
   */
  operationByKey(used: { actor: string; idempotencyKey: string }): Promise<StoredOperation | null>;
  finishOperation(operation: { id: string; outbox: string }, result: unknown): Promise<void>;
  /** Null if there is none with this id. `fresh`: read from the primary, never from a lagging replica. */
  operation(id: string, options?: { fresh: boolean }): Promise<StoredOperation | null>;
  /** Changes that an operation is known to have made so far, without a commit in progress. */
  changesOf(operationId: string): Promise<AuditedChange[]>;
  /**
   * Finishes an operation with all the changes that it made. Throws StoreError `locked` while a commit is in progress.
   */
  settleOperation(input: { id: string; outbox: string; finish: (changes: AuditedChange[]) => unknown }): Promise<void>;

  /** Stores the mapping of a first start; returns the stored one, which is the first if two starts race. */
  keepFirstMapping(entry: FingerprintEntry): Promise<MappingFingerprint>;
  /** Accepts another mapping in place of the accepted one, with an audit row. */
  acceptMapping(entry: FingerprintEntry, audit: AuditRecord): Promise<void>;

  /** Deletes relay instances that have been silent for so long, and keeps their counters in the totals. */
  retireRelays(silentHours: number): Promise<number>;
  /** Deletes at most `batch` older attempts; returns how many. */
  deleteOldAttempts(keepDays: number, batch: number): Promise<number>;
  /** Deletes at most `batch` older records of restores that no stream needs; returns how many. */
  deleteOldRestored(keepDays: number, batch: number): Promise<number>;
}
