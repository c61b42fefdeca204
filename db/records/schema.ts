import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  json,
  pgSchema,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";

/** The console side: records of the console itself, in a database that may be the embedded Postgres. */
export const consoleSide = pgSchema("outbox_console_app");

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 6, mode: "string" });

/** Samples of an outbox, one row per step. Rates are per second; null means unknown, a missing row is a gap. */
export const sample = consoleSide.table(
  "sample",
  {
    outbox: text("outbox").notNull(),
    stepSeconds: integer("step_seconds").notNull(),
    at: instant("at").notNull(),
    inPerSecond: doublePrecision("in_per_second"),
    outPerSecond: doublePrecision("out_per_second"),
    failuresPerSecond: doublePrecision("failures_per_second"),
    backlog: doublePrecision("backlog"),
    dead: doublePrecision("dead"),
    oldestPendingSeconds: doublePrecision("oldest_pending_seconds"),
    p50Ms: doublePrecision("p50_ms"),
    p99Ms: doublePrecision("p99_ms"),
  },
  (table) => [primaryKey({ columns: [table.outbox, table.stepSeconds, table.at] })],
);

/** One problem the watchdog found; closed when it no longer holds. */
export const finding = consoleSide.table(
  "finding",
  {
    outbox: text("outbox").notNull(),
    rule: text("rule").notNull(),
    subject: text("subject").notNull(),
    since: instant("since").notNull(),
    seenAt: instant("seen_at").notNull(),
    closedAt: instant("closed_at"),
    detail: json("detail").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.outbox, table.rule, table.subject, table.since] }),
    index("finding_open_idx").on(table.outbox).where(sql`closed_at IS NULL`),
    index("finding_time_idx").on(table.since),
  ],
);

/** The leading monitor, on the database clock. One row. */
export const monitorLease = consoleSide.table("monitor_lease", {
  id: integer("id").primaryKey(),
  owner: text("owner").notNull(),
  until: instant("until").notNull(),
  heartbeatAt: instant("heartbeat_at").notNull(),
});

/** One browser sign-in. Its cookie holds the id, sealed; a session with `ended_at` is over. */
export const session = consoleSide.table(
  "session",
  {
    id: uuid("id").primaryKey(),
    name: text("name").notNull(),
    role: text("role").notNull(),
    address: text("address").notNull(),
    startedAt: instant("started_at").notNull().default(sql`clock_timestamp()`),
    seenAt: instant("seen_at").notNull().default(sql`clock_timestamp()`),
    expiresAt: instant("expires_at").notNull(),
    endedAt: instant("ended_at"),
    endedBy: text("ended_by"),
  },
  (table) => [index("session_expiry_idx").on(table.expiresAt)],
);

/** A secret for programs. Only its SHA-256 is kept; `outboxes` null means every outbox. */
export const apiToken = consoleSide.table(
  "api_token",
  {
    id: uuid("id").primaryKey(),
    name: text("name").notNull(),
    scope: text("scope").notNull(),
    outboxes: json("outboxes"),
    hash: text("hash").notNull(),
    createdAt: instant("created_at").notNull().default(sql`clock_timestamp()`),
    createdBy: text("created_by").notNull(),
    expiresAt: instant("expires_at").notNull(),
    usedAt: instant("used_at"),
    usedFrom: text("used_from"),
    revokedAt: instant("revoked_at"),
    revokedBy: text("revoked_by"),
  },
  (table) => [uniqueIndex("api_token_hash_idx").on(table.hash)],
);

/**
 * An outbox or inbox seen at least once. It keeps its name and stays in health, metrics and lists until an
 * administrator forgets it. `configured` is false for a discovered one.
 */
export const knownTable = consoleSide.table(
  "known_table",
  {
    kind: text("kind").notNull(),
    store: text("store").notNull(),
    tableSchema: text("table_schema").notNull(),
    tableName: text("table_name").notNull(),
    name: text("name").notNull(),
    mode: text("mode").notNull(),
    configured: boolean("configured").notNull(),
    firstSeenAt: instant("first_seen_at").notNull().default(sql`clock_timestamp()`),
    /** Written when something changes, and once an hour. */
    lastSeenAt: instant("last_seen_at").notNull().default(sql`clock_timestamp()`),
    /** When its database first answered without this table; null while the table exists. */
    missingSince: instant("missing_since"),
  },
  (table) => [primaryKey({ columns: [table.kind, table.store, table.tableSchema, table.tableName] })],
);

/**
 * Actions on the console's own records. Actions on messages and relays are audited in their store, in the same
 * transaction.
 */
export const audit = consoleSide.table(
  "audit",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    at: instant("at").notNull().default(sql`clock_timestamp()`),
    actor: text("actor").notNull(),
    role: text("role").notNull(),
    action: text("action").notNull(),
    outbox: text("outbox"),
    inbox: text("inbox"),
    outcome: text("outcome").notNull(),
    reason: text("reason"),
    detail: text("detail"),
  },
  (table) => [index("audit_time_idx").on(table.at, table.id)],
);

/** The status of one outbox that one webhook last got, and the health observed since. */
export const alertState = consoleSide.table(
  "alert_state",
  {
    webhook: text("webhook").notNull(),
    outbox: text("outbox").notNull(),
    notified: text("notified").notNull(),
    seen: text("seen").notNull(),
    seenSince: instant("seen_since").notNull(),
    /** Time of the last observation; null in a row of an older version. */
    seenAt: instant("seen_at"),
  },
  (table) => [primaryKey({ columns: [table.webhook, table.outbox] })],
);

/**
 * A request to a webhook: sent until it is accepted, or given up. Committed together with the status that it reports.
 */
export const alertDelivery = consoleSide.table(
  "alert_delivery",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    webhook: text("webhook").notNull(),
    outbox: text("outbox").notNull(),
    event: text("event").notNull(),
    status: text("status").notNull(),
    summary: text("summary").notNull(),
    at: instant("at").notNull().default(sql`clock_timestamp()`),
    attempts: integer("attempts").notNull().default(0),
    nextAttemptAt: instant("next_attempt_at"),
    deliveredAt: instant("delivered_at"),
    error: text("error"),
  },
  (table) => [
    index("alert_delivery_due_idx").on(table.nextAttemptAt).where(sql`next_attempt_at IS NOT NULL`),
    index("alert_delivery_time_idx").on(table.at),
  ],
);

/** A shared list of messages: filter and columns, by name. */
export const savedView = consoleSide.table(
  "saved_view",
  {
    id: uuid("id").primaryKey(),
    outbox: text("outbox").notNull(),
    name: text("name").notNull(),
    query: json("query").notNull(),
    columns: json("columns").notNull(),
    createdBy: text("created_by").notNull(),
    createdAt: instant("created_at").notNull().default(sql`clock_timestamp()`),
  },
  (table) => [uniqueIndex("saved_view_name_idx").on(table.outbox, table.name)],
);

/** Space that an outbox's table takes with its indexes, hourly. */
export const sizeSample = consoleSide.table(
  "size_sample",
  {
    outbox: text("outbox").notNull(),
    at: instant("at").notNull(),
    bytes: bigint("bytes", { mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.outbox, table.at] })],
);

/** People's decisions about a failure group; they outlive the group's messages. */
export const groupMark = consoleSide.table(
  "group_mark",
  {
    outbox: text("outbox").notNull(),
    fingerprint: text("fingerprint").notNull(),
    /** The group's error at the last action on it. */
    title: text("title").notNull(),
    claimedBy: text("claimed_by"),
    claimedAt: instant("claimed_at"),
    resolvedBy: text("resolved_by"),
    resolvedAt: instant("resolved_at"),
    /** The group's last failure that was known when it was resolved, on the clock of its store. */
    resolvedSeen: instant("resolved_seen"),
    ignoredBy: text("ignored_by"),
    ignoredAt: instant("ignored_at"),
    ignoredReason: text("ignored_reason"),
    /** New messages an hour up to which it is ignored. */
    ignoredUpTo: integer("ignored_up_to"),
    changedAt: instant("changed_at").notNull().default(sql`clock_timestamp()`),
  },
  (table) => [primaryKey({ columns: [table.outbox, table.fingerprint] })],
);

/** A note on a failure group. */
export const groupNote = consoleSide.table(
  "group_note",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    outbox: text("outbox").notNull(),
    fingerprint: text("fingerprint").notNull(),
    at: instant("at").notNull().default(sql`clock_timestamp()`),
    author: text("author").notNull(),
    text: text("text").notNull(),
  },
  (table) => [index("group_note_idx").on(table.outbox, table.fingerprint, table.id)],
);

/** A deploy of some service, as its pipeline reported it. */
export const deploy = consoleSide.table(
  "deploy",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    service: text("service").notNull(),
    version: text("version").notNull(),
    /** Null: it concerns every outbox. */
    outbox: text("outbox"),
    at: instant("at").notNull(),
    link: text("link"),
    reportedBy: text("reported_by").notNull(),
    idempotencyKey: text("idempotency_key"),
    recordedAt: instant("recorded_at").notNull().default(sql`clock_timestamp()`),
  },
  (table) => [
    uniqueIndex("deploy_key_idx").on(table.reportedBy, table.idempotencyKey),
    index("deploy_time_idx").on(table.at, table.id),
  ],
);

/** An incident that people work on together; open until a person ends it. */
export const incident = consoleSide.table(
  "incident",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    title: text("title").notNull(),
    /** Start of the trouble; the timeline begins a little earlier. */
    since: instant("since").notNull(),
    openedAt: instant("opened_at").notNull().default(sql`clock_timestamp()`),
    openedBy: text("opened_by").notNull(),
    lead: text("lead"),
    leadSince: instant("lead_since"),
    /** Names; empty: every outbox. */
    outboxes: json("outboxes").notNull(),
    /** The failure group that it began with: its outbox and fingerprint. */
    failureGroup: json("failure_group"),
    endedAt: instant("ended_at"),
    endedBy: text("ended_by"),
    outcome: text("outcome"),
    /**
     * Copy of other records, which are deleted sooner, from the time of its end; null if not all of them could be read.
     */
    kept: json("kept"),
  },
  (table) => [index("incident_open_idx").on(table.id).where(sql`ended_at IS NULL`)],
);

/** People's notes and acts in an incident. */
export const incidentEntry = consoleSide.table(
  "incident_entry",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    incident: bigint("incident", { mode: "number" }).notNull(),
    at: instant("at").notNull().default(sql`clock_timestamp()`),
    author: text("author").notNull(),
    kind: text("kind").notNull(),
    text: text("text").notNull(),
  },
  (table) => [index("incident_entry_idx").on(table.incident, table.id)],
);
