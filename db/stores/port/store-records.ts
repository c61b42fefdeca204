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
  /** What holds one message back: pauses of its type or of its aggregate, the longest first. */
  pausesOf(message: { outbox: string; eventType: string | null; aggregateKey: string | null }): Promise<PauseRow[]>;

  /** Entries of the page, newest first; fewer than `limit` only at the end. */
  audit(page: AuditPage): Promise<AuditRow[]>;

  /**
   * Records that an operation begins, with its targets in `first(at)`; with a key that this actor has used, returns the
   * earlier one instead. `first` gets the store's time of the beginning. Throws StoreError `commit_in_doubt`.
   */
  beginOperation(operation: NewOperation, first: (at: string) => unknown): Promise<StoredOperation>;
  /** What a key of this actor began; null if nothing. Read from where writes go, never from a copy that lags. */
  operationByKey(used: { actor: string; idempotencyKey: string }): Promise<StoredOperation | null>;
  finishOperation(operation: { id: string; outbox: string }, result: unknown): Promise<void>;
  /** Null when there is none with this id. `fresh`: from where writes go, never from a copy that lags. */
  operation(id: string, options?: { fresh: boolean }): Promise<StoredOperation | null>;
  /** What an operation is known to have changed so far; a commit that is under way is not among it. */
  changesOf(operationId: string): Promise<AuditedChange[]>;
  /** Finishes an operation by all that it changed and ever will. Throws StoreError `locked` while a commit goes on. */
  settleOperation(input: { id: string; outbox: string; finish: (changes: AuditedChange[]) => unknown }): Promise<void>;

  /** Keeps the mapping of a first start; returns the kept one: of two that race, the first. */
  keepFirstMapping(entry: FingerprintEntry): Promise<MappingFingerprint>;
  /** Accepts another mapping in place of the accepted one, with an audit row. */
  acceptMapping(entry: FingerprintEntry, audit: AuditRecord): Promise<void>;

  /** Forgets relay instances that have been silent for so long, and keeps their counters in the totals. */
  retireRelays(silentHours: number): Promise<number>;
  /** Deletes at most `batch` attempts that are older; returns how many went. */
  deleteOldAttempts(keepDays: number, batch: number): Promise<number>;
  /** Deletes at most `batch` records of restores that are older and that no stream needs; returns how many went. */
  deleteOldRestored(keepDays: number, batch: number): Promise<number>;
}
