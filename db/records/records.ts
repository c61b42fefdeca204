import type { AuditRow } from "../stores/port/audit.ts";
import type { FindingRow, FoundInput } from "./findings.ts";
import type { KnownTableRow, ObservedTable, TableKey } from "./known-tables.ts";
import type { MonitorLease } from "./read-monitor-lease.ts";
import type { Rates, SampleRow } from "./read-samples.ts";
import type { Sample } from "./sample.ts";
import type { NewSession, SessionRow } from "./sessions.ts";
import type { ConsoleAuditRecord } from "./write-audit.ts";

/** What the console and the monitor keep for themselves, in a database of their own. Throws StoreError. */
export interface Records {
  /** Whether the database answers at all, within 3 s and whatever else it is asked meanwhile. */
  ping(): Promise<void>;

  knownTables(): Promise<KnownTableRow[]>;
  /** Writes what is there now, and what is there no longer; since when it is missing is kept. */
  observeTables(tables: readonly ObservedTable[]): Promise<void>;
  /** Deletes a known table and writes the audit row, both or neither. */
  forgetTable(table: TableKey, audit: ConsoleAuditRecord): Promise<void>;
  /** Entries before `beforeId`, newest first. Their ids begin with `c`. */
  audit(input: {
    action: string | null;
    actor: string | null;
    beforeId: string | null;
    limit: number;
  }): Promise<AuditRow[]>;

  /** Keeps what one look at an outbox found: opens, carries on and closes findings, all or nothing. */
  keepFindings(found: FoundInput): Promise<void>;
  openFindings(outbox: string): Promise<FindingRow[]>;
  deleteOldFindings(keepDays: number, batch: number): Promise<number>;
  /** Grave findings that opened in a time range. */
  marks(range: { outbox: string; from: string; to: string }): Promise<{ at: string; label: string }[]>;

  samples(input: { outbox: string; from: string; to: string; kept: number; stepSeconds: number }): Promise<SampleRow[]>;
  /** Time of the first sample kept; null when nothing was sampled. */
  watchingSince(outbox: string): Promise<string | null>;
  latestRates(outbox: string, maxAgeSeconds: number): Promise<Rates | null>;
  /** Returns how many seconds into its step the sample was written. */
  writeSample(outbox: string, stepSeconds: number, sample: Sample): Promise<number>;
  rollUpSamples(fineSeconds: number, coarseSeconds: number): Promise<number>;
  deleteOldSamples(input: { stepSeconds: number; keepSeconds: number; batch: number }): Promise<number>;

  monitorLease(): Promise<MonitorLease | null>;
  /** True while `owner` leads, for `leaseMs` from now. */
  takeMonitorLease(owner: string, leaseMs: number): Promise<boolean>;
  releaseMonitorLease(owner: string): Promise<void>;

  insertSession(session: NewSession): Promise<void>;
  touchSession(id: string): Promise<boolean>;
  endSession(input: { id: string; by: string }): Promise<boolean>;
  sessions(limit: number): Promise<SessionRow[]>;

  close(): Promise<void>;
}
