import type { AuditPage, AuditRow } from "../stores/port/audit.ts";
import type { AlertObservation, AlertRow, AlertStateRow, DueAlert, NewAlert } from "./alerts.ts";
import type { DeployFilter, DeployRow, NewDeployRow } from "./deploys.ts";
import type { FindingRow, FoundInput } from "./findings.ts";
import type { GroupChange, GroupKey, GroupMarkRow, GroupNoteRow } from "./groups.ts";
import type { IncidentChange, IncidentEntryRow, IncidentRow, NewIncidentRow } from "./incidents.ts";
import type { KnownTableRow, ObservedTable, TableKey } from "./known-tables.ts";
import type { MonitorLease } from "./read-monitor-lease.ts";
import type { Rates, RatesAge, SampleRow } from "./read-samples.ts";
import type { Sample } from "./sample.ts";
import type { NewSession, SeenSession, SessionRow } from "./sessions.ts";
import type { SizePoint } from "./sizes.ts";
import type { SpanRecords, TimeSpan } from "./timeline.ts";
import type { NewTokenRow, TokenRow } from "./tokens.ts";
import type { NewViewRow, ViewRow } from "./views.ts";
import type { ConsoleAuditRecord } from "./write-audit.ts";
import type { RollUpSteps } from "./write-samples.ts";

/** Records of the console and the monitor, in the console side's database. Throws StoreError. */
export interface Records {
  /** Resolves if the database answers within 3 s, however busy the other connections are. */
  ping(): Promise<void>;

  knownTables(): Promise<KnownTableRow[]>;
  /** Stores which tables exist and which are missing; keeps the time since which one is missing. */
  observeTables(tables: readonly ObservedTable[]): Promise<void>;
  /** Deletes a known table and writes the audit row in one transaction. */
  forgetTable(table: TableKey, audit: ConsoleAuditRecord): Promise<void>;
  /** Writes the audit row; it commits only if `act` resolves, and `act` is not undone if the commit fails. */
  recordAct(audit: ConsoleAuditRecord, act: () => Promise<void>): Promise<void>;
  /**
   * Entries of the page, newest first, without those of messages, which are in their store's audit. Ids begin with `c`.
   */
  audit(page: AuditPage): Promise<AuditRow[]>;

  /** Stores the findings of one check of an outbox: opens, continues and closes findings in one transaction. */
  keepFindings(found: FoundInput): Promise<void>;
  openFindings(outbox: string): Promise<FindingRow[]>;
  deleteOldFindings(keepDays: number, batch: number): Promise<number>;
  /** Findings of severity `fail` opened in a time range: the newest 12, oldest first. */
  marks(range: { outbox: string; from: string; to: string }): Promise<{ at: string; label: string }[]>;

  samples(input: { outbox: string; from: string; to: string; kept: number; stepSeconds: number }): Promise<SampleRow[]>;
  /** Time of the first sample kept; null when nothing was sampled. */
  watchingSince(outbox: string): Promise<string | null>;
  latestRates(outbox: string, age: RatesAge): Promise<Rates | null>;
  /** Returns how many seconds into its step the sample was written. */
  writeSample(outbox: string, stepSeconds: number, sample: Sample): Promise<number>;
  rollUpSamples(steps: RollUpSteps): Promise<number>;
  deleteOldSamples(input: { stepSeconds: number; keepSeconds: number; batch: number }): Promise<number>;

  /** Stores the space that an outbox takes; one point an hour. */
  writeSize(outbox: string, bytes: number): Promise<void>;
  /** Oldest first. */
  sizes(outbox: string, days: number): Promise<SizePoint[]>;

  monitorLease(): Promise<MonitorLease | null>;
  /** Writes the lease as it is and rolls back. Throws why a monitor could not write it. */
  tryMonitorLease(): Promise<void>;
  /** Throws why a monitor that has its lease could not write samples, findings or alerts. Writes nothing. */
  tryMonitorTables(): Promise<void>;
  /** Writes one row of each of these tables as it is and rolls back. Throws why a monitor could not write a row. */
  tryMonitorRows(): Promise<void>;
  /** True if `owner` leads now, for `leaseMs`. */
  takeMonitorLease(owner: string, leaseMs: number): Promise<boolean>;
  releaseMonitorLease(owner: string): Promise<void>;

  /**
   * Writes an outbox's present health; returns the time for which it has been so, and the status last sent to the
   * webhook.
   */
  observeAlert(now: AlertObservation): Promise<AlertStateRow>;
  /** Queues an alert and stores, in the same transaction, the status that it sends to the webhook. */
  queueAlert(alert: NewAlert): Promise<void>;
  dueAlerts(ofEachWebhook: number): Promise<DueAlert[]>;
  /** `retryMs`: null gives the alert up. */
  settleAlert(
    id: number,
    outcome: { delivered: true } | { delivered: false; error: string; retryMs: number | null },
  ): Promise<void>;
  /** Newest first; of these outboxes only, where `outboxes` is not null. */
  alerts(input: { outboxes: readonly string[] | null; limit: number }): Promise<AlertRow[]>;
  deleteOldAlerts(keepDays: number): Promise<number>;

  /**
   * Each with its audit row in one transaction. `endSession` is false, without an audit row, if none with this id was
   * open.
   */
  insertSession(session: NewSession, audit: ConsoleAuditRecord): Promise<void>;
  touchSession(id: string): Promise<SeenSession>;
  endSession(
    input: { id: string; by: string },
    audit: (ended: Pick<SessionRow, "name" | "address">) => ConsoleAuditRecord,
  ): Promise<boolean>;
  sessions(limit: number): Promise<SessionRow[]>;

  /** Newest first; revoked and expired ones for 30 days. */
  tokens(limit: number): Promise<TokenRow[]>;
  /** Each with its audit row in one transaction. False, without an audit row, if nothing was changed. */
  addToken(token: NewTokenRow, most: number, audit: ConsoleAuditRecord): Promise<boolean>;
  revokeToken(input: { id: string; by: string }, audit: ConsoleAuditRecord): Promise<boolean>;
  /** By the hash of its secret. */
  validTokens(): Promise<ReadonlyMap<string, TokenRow>>;
  /** Records the use of a token, to the minute. */
  noteTokenUse(input: { id: string; from: string }): Promise<void>;

  /** Shared views of an outbox, by name. */
  views(outbox: string): Promise<ViewRow[]>;
  /** Each with its audit row in one transaction. False, without an audit row, if nothing was changed. */
  saveView(view: NewViewRow, most: number, audit: ConsoleAuditRecord): Promise<boolean>;
  renameView(view: { outbox: string; id: string; name: string }, audit: ConsoleAuditRecord): Promise<boolean>;
  deleteView(view: { outbox: string; id: string }, audit: ConsoleAuditRecord): Promise<boolean>;

  /** People's decisions about the failure groups of an outbox, last changed first; at most 1,000. */
  groupMarks(outbox: string): Promise<GroupMarkRow[]>;
  /** The notes are newest first. */
  group(key: GroupKey): Promise<{ mark: GroupMarkRow | null; notes: GroupNoteRow[] }>;
  /**
   * Changes the group and writes the audit row in one transaction. Does neither and returns false if the group has
   * changed.
   */
  changeGroup(key: GroupKey & { title: string }, change: GroupChange, audit: ConsoleAuditRecord): Promise<boolean>;
  deleteOldGroups(keepDays: number): Promise<number>;

  /** The new row with its audit row in one transaction, or the earlier one with this reporter and key. */
  addDeploy(row: NewDeployRow, audit: ConsoleAuditRecord): Promise<{ row: DeployRow; repeated: boolean }>;
  /** Newest first. */
  deploys(filter: DeployFilter): Promise<DeployRow[]>;
  deleteOldDeploys(keepDays: number, keepMost: number): Promise<number>;

  /** Newest first; where `outboxes` is not null, those that concern some of these and no others. */
  incidents(input: { open: boolean; outboxes: readonly string[] | null; limit: number }): Promise<IncidentRow[]>;
  /** Null if there is none. The entries are newest first. */
  incident(id: number): Promise<{ row: IncidentRow; entries: IncidentEntryRow[]; kept: unknown } | null>;
  /** Opens an incident with its audit row, or returns an open one that the person has not seen. */
  openIncident(row: NewIncidentRow, audit: ConsoleAuditRecord): Promise<{ row: IncidentRow; opened: boolean }>;
  /**
   * Changes an incident and writes the audit row. Does neither and returns false if it has changed since the person saw
   * it.
   */
  changeIncident(id: number, change: IncidentChange, audit: ConsoleAuditRecord): Promise<boolean>;
  /** Stores a copy of other records about an incident that has ended. */
  keepTimeline(id: number, kept: unknown): Promise<void>;
  /** Entries of these records within a time. */
  span(span: TimeSpan): Promise<SpanRecords>;

  close(): Promise<void>;
}
