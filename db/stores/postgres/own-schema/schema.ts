import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  json,
  jsonb,
  pgSchema,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";

/**
 * The store side: records that an outbox table itself cannot hold, in the same database, so that an action and its
 * audit row commit together. `outbox` is the outbox's configured name, `message_id` the encoded primary key of its row.
 */
export const storeSide = pgSchema("outbox_console");

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 6, mode: "string" });

/** A message that failed, was retried by an operator, or is dead in its table. No row: it never failed. */
export const delivery = storeSide.table(
  "delivery",
  {
    outbox: text("outbox").notNull(),
    messageId: text("message_id").notNull(),
    aggregateKey: text("aggregate_key"),
    orderKey: text("order_key").array(),
    eventType: text("event_type"),
    createdAt: instant("created_at"),
    attempts: integer("attempts").notNull().default(0),
    nextAttemptAt: instant("next_attempt_at"),
    deadAt: instant("dead_at"),
    deadBy: text("dead_by"),
    firstErrorCode: text("first_error_code"),
    firstError: text("first_error"),
    firstFailedAt: instant("first_failed_at"),
    lastErrorCode: text("last_error_code"),
    lastError: text("last_error"),
    lastFailedAt: instant("last_failed_at"),
    fingerprint: text("fingerprint"),
    /** The message itself, for a table that is only streamed: its row may be gone before the retry. */
    image: json("image"),
  },
  (table) => [
    primaryKey({ columns: [table.outbox, table.messageId] }),
    // Every claim looks each of its rows up here. With 500,000 dead rows in the table a drain did 40,600 rows/s by this
    // index and 28,600 by the primary key, whose texts are compared some twenty times for each row.
    index("delivery_message_idx").using("hash", table.messageId),
    index("delivery_due_idx").on(table.outbox, table.nextAttemptAt).where(sql`dead_at IS NULL`),
    index("delivery_dead_idx").on(table.outbox, table.deadAt, table.messageId).where(sql`dead_at IS NOT NULL`),
    // Partial, so that they cannot serve a lookup by message. While the table is empty they look as cheap as the
    // primary key, and a plan that a relay has prepared then would read every failed message for every row.
    index("delivery_group_idx").on(table.outbox, table.fingerprint).where(sql`fingerprint IS NOT NULL`),
    // For failure groups and for the list of failed messages.
    index("delivery_newest_idx")
      .on(table.outbox, table.lastFailedAt)
      .where(sql`fingerprint IS NOT NULL OR last_failed_at IS NOT NULL`),
    index("delivery_aggregate_idx")
      .on(table.outbox, table.aggregateKey, table.firstFailedAt)
      .where(sql`aggregate_key IS NOT NULL`),
    index("delivery_failing_idx")
      .on(table.outbox, table.firstFailedAt)
      .where(sql`dead_at IS NULL AND next_attempt_at IS NOT NULL AND attempts > 0 AND aggregate_key IS NOT NULL`),
  ],
);

/** One batch in flight. Committed before publishing, deleted by its last settle; without it a settle marks nothing. */
export const claim = storeSide.table(
  "claim",
  {
    token: uuid("token").primaryKey(),
    outbox: text("outbox").notNull(),
    owner: text("owner").notNull(),
    epoch: bigint("epoch", { mode: "number" }).notNull(),
    messageIds: text("message_ids").array().notNull(),
    /** Its one message is all that its owner has in flight: if the owner dies now, the message is to blame. */
    alone: boolean("alone").notNull().default(false),
    startedAt: instant("started_at").notNull().default(sql`clock_timestamp()`),
  },
  (table) => [index("claim_outbox_idx").on(table.outbox)],
);

/** A message that was in flight with a relay when it died. */
export const suspect = storeSide.table(
  "suspect",
  {
    outbox: text("outbox").notNull(),
    messageId: text("message_id").notNull(),
    /** Number of claims with it that dead relays left behind. */
    orphaned: integer("orphaned").notNull().default(1),
    /** Number of relays that died with this message alone in flight. */
    crashes: integer("crashes").notNull().default(0),
    at: instant("at").notNull().default(sql`clock_timestamp()`),
    /** Distinguishes the message from a later one of the same id; null in records of earlier releases. */
    identity: text("identity"),
  },
  (table) => [primaryKey({ columns: [table.outbox, table.messageId] })],
);

/** A row that an operator restored: a stream that sees its insert must not publish it again. */
export const restored = storeSide.table(
  "restored",
  {
    outbox: text("outbox").notNull(),
    messageId: text("message_id").notNull(),
    at: instant("at").notNull().default(sql`clock_timestamp()`),
  },
  (table) => [primaryKey({ columns: [table.outbox, table.messageId] })],
);

/**
 * The owner of each partition of an outbox, on the database clock. All partitions of one term have its owner and epoch.
 */
export const lease = storeSide.table(
  "lease",
  {
    outbox: text("outbox").notNull(),
    partition: integer("partition").notNull().default(0),
    owner: text("owner").notNull(),
    epoch: bigint("epoch", { mode: "number" }).notNull(),
    until: instant("until").notNull(),
    /** Length of the lease; null in terms of earlier releases. */
    lengthMs: doublePrecision("length_ms"),
  },
  (table) => [primaryKey({ columns: [table.outbox, table.partition] })],
);

/** Failed attempts, and the attempt that succeeded after one. A message published at once has none. */
export const attempt = storeSide.table(
  "attempt",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    outbox: text("outbox").notNull(),
    messageId: text("message_id").notNull(),
    number: integer("number").notNull(),
    startedAt: instant("started_at").notNull(),
    durationMs: doublePrecision("duration_ms"),
    outcome: text("outcome").notNull(),
    code: text("code"),
    error: text("error"),
    relay: text("relay"),
    sink: text("sink"),
  },
  (table) => [
    index("attempt_message_idx").on(table.outbox, table.messageId, table.id),
    index("attempt_started_idx").on(table.startedAt),
  ],
);

const movedRow = {
  outbox: text("outbox").notNull(),
  messageId: text("message_id").notNull(),
  /** Exact image of the row, `json` to preserve the text; null if the row went into the team's own archive table. */
  image: json("image"),
  aggregateType: text("aggregate_type"),
  aggregateId: text("aggregate_id"),
  eventType: text("event_type"),
  createdAt: instant("created_at"),
  publishedAt: instant("published_at"),
  payloadBytes: integer("payload_bytes"),
  attempts: integer("attempts").notNull().default(0),
  firstErrorCode: text("first_error_code"),
  firstError: text("first_error"),
  firstFailedAt: instant("first_failed_at"),
  lastErrorCode: text("last_error_code"),
  lastError: text("last_error"),
  lastFailedAt: instant("last_failed_at"),
  fingerprint: text("fingerprint"),
};

/** Dead messages that were moved out of their table. */
export const deadLetter = storeSide.table(
  "dead_letter",
  {
    ...movedRow,
    deadAt: instant("dead_at").notNull().default(sql`clock_timestamp()`),
    deadBy: text("dead_by").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.outbox, table.messageId] }),
    index("dead_letter_time_idx").on(table.outbox, table.deadAt, table.messageId),
    index("dead_letter_group_idx").on(table.outbox, table.fingerprint),
    index("dead_letter_aggregate_idx").on(table.outbox, table.aggregateId),
  ],
);

/** Archived messages; restorable to their former state until purged. */
export const archive = storeSide.table(
  "archive",
  {
    ...movedRow,
    stateBefore: text("state_before").notNull(),
    deadAt: instant("dead_at"),
    deadBy: text("dead_by"),
    archivedAt: instant("archived_at").notNull().default(sql`clock_timestamp()`),
    archivedBy: text("archived_by").notNull(),
    reason: text("reason").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.outbox, table.messageId] }),
    index("archive_time_idx").on(table.outbox, table.archivedAt, table.messageId),
  ],
);

/** One operator action over one or many messages. */
export const operation = storeSide.table(
  "operation",
  {
    id: uuid("id").primaryKey(),
    outbox: text("outbox").notNull(),
    action: text("action").notNull(),
    actor: text("actor").notNull(),
    role: text("role").notNull(),
    reason: text("reason").notNull(),
    idempotencyKey: text("idempotency_key"),
    /** Hash of the request: reusing a key for another request is refused. */
    requestHash: text("request_hash").notNull(),
    /**
     * The operation's record as last written, first at its start; null only from an older version that was cut short.
     */
    result: json("result"),
    at: instant("at").notNull().default(sql`clock_timestamp()`),
    /** Null for an operation that ran within its request; the columns below are null or 0 then. */
    state: text("state"),
    plan: json("plan"),
    progress: json("progress"),
    runner: text("runner"),
    runnerUntil: instant("runner_until"),
    heartbeatAt: instant("heartbeat_at"),
    fence: bigint("fence", { mode: "number" }).notNull().default(0),
    endedAt: instant("ended_at"),
  },
  (table) => [
    uniqueIndex("operation_key_idx").on(table.actor, table.idempotencyKey),
    index("operation_time_idx").on(table.outbox, table.at),
    index("operation_unended_idx").on(table.at).where(sql`state IS NOT NULL AND ended_at IS NULL`),
    index("operation_open_idx").on(table.at).where(sql`state IN ('selecting', 'running', 'cancelling')`),
  ],
);

/** One message of a bulk operation. `outcome` is null until it was acted on. */
export const operationItem = storeSide.table(
  "operation_item",
  {
    operationId: uuid("operation_id").notNull(),
    seq: bigint("seq", { mode: "number" }).notNull(),
    messageId: text("message_id").notNull(),
    version: text("version").notNull(),
    eventType: text("event_type"),
    aggregateId: text("aggregate_id"),
    stateBefore: text("state_before").notNull(),
    outcome: text("outcome"),
    code: text("code"),
    message: text("message"),
    actedAt: instant("acted_at"),
    settledAt: instant("settled_at"),
  },
  (table) => [
    primaryKey({ columns: [table.operationId, table.seq] }),
    index("operation_item_outcome_idx").on(table.operationId, table.outcome, table.seq).where(sql`outcome IS NOT NULL`),
    index("operation_item_left_idx").on(table.operationId, table.seq).where(sql`outcome IS NULL`),
    index("operation_item_message_idx").on(table.messageId),
  ],
);

/** Append-only: who did what, when and why, and the outcome. */
export const audit = storeSide.table(
  "audit",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    at: instant("at").notNull().default(sql`clock_timestamp()`),
    actor: text("actor").notNull(),
    role: text("role").notNull(),
    action: text("action").notNull(),
    outbox: text("outbox"),
    inbox: text("inbox"),
    messageId: text("message_id"),
    operationId: uuid("operation_id"),
    outcome: text("outcome").notNull(),
    reason: text("reason"),
    stateBefore: text("state_before"),
    stateAfter: text("state_after"),
    detail: text("detail"),
  },
  (table) => [
    index("audit_time_idx").on(table.at, table.id),
    index("audit_message_idx").on(table.outbox, table.messageId, table.id),
  ],
);

/** One relay process for one outbox, as of its last heartbeat. */
export const relayInstance = storeSide.table(
  "relay_instance",
  {
    id: text("id").notNull(),
    outbox: text("outbox").notNull(),
    host: text("host").notNull(),
    pid: integer("pid").notNull(),
    version: text("version").notNull(),
    startedAt: instant("started_at").notNull().default(sql`clock_timestamp()`),
    heartbeatAt: instant("heartbeat_at").notNull().default(sql`clock_timestamp()`),
    state: text("state").notNull(),
    source: text("source").notNull(),
    sink: json("sink").notNull(),
    published: bigint("published", { mode: "number" }).notNull().default(0),
    failures: bigint("failures", { mode: "number" }).notNull().default(0),
    publishedPerSecond: doublePrecision("published_per_second"),
    inFlight: integer("in_flight").notNull().default(0),
    lastPublishedAt: instant("last_published_at"),
    lastError: text("last_error"),
    lastErrorAt: instant("last_error_at"),
    breaker: json("breaker"),
    /** Open breakers of routes: an array of RouteOutage. */
    routes: json("routes").notNull().default([]),
    /** Claimed messages that another program had published or removed when we settled them. Cumulative. */
    foreignPublished: bigint("foreign_published", { mode: "number" }).notNull().default(0),
    /** Rows that another program published without a claim of ours, as far as we looked. Cumulative. */
    foreignUnclaimed: bigint("foreign_unclaimed", { mode: "number" }).notNull().default(0),
    foreignSince: instant("foreign_since"),
    foreignLastAt: instant("foreign_last_at"),
    /** The host's wall clock minus the database's clock, ms. Null before the first measurement. */
    clockOffsetMs: doublePrecision("clock_offset_ms"),
    /** Start of the oldest settle still being written. */
    settlingSince: instant("settling_since"),
    lateCommits: bigint("late_commits", { mode: "number" }).notNull().default(0),
    /** Partitions of the outbox that it owns. */
    partitions: integer("partitions").notNull().default(0),
    /** For a relay that reads the log: its slot, whether it is connected and since when. */
    stream: json("stream"),
    latency: bigint("latency", { mode: "number" }).array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.outbox, table.id] })],
);

/**
 * Pauses of a whole outbox, an event type or an aggregate, set by an operator; and holds, set by the relay on an
 * aggregate behind a dead message (`messageId`).
 */
export const pause = storeSide.table(
  "pause",
  {
    outbox: text("outbox").notNull(),
    scope: text("scope").notNull().default("outbox"),
    /** The event type or the aggregate's key; empty for the whole outbox. */
    subject: text("subject").notNull().default(""),
    reason: text("reason").notNull(),
    by: text("by").notNull(),
    messageId: text("message_id"),
    at: instant("at").notNull().default(sql`clock_timestamp()`),
    until: instant("until"),
  },
  (table) => [
    primaryKey({ columns: [table.outbox, table.scope, table.subject] }),
    index("pause_message_idx").on(table.outbox, table.messageId).where(sql`message_id IS NOT NULL`),
    index("pause_since_idx").on(table.outbox, table.at).where(sql`scope IN ('aggregate', 'hold')`),
  ],
);

/** The mapping of an outbox that a person accepted or that its first start found; see mapping-fingerprint.ts. */
export const mappingFingerprint = storeSide.table("mapping_fingerprint", {
  outbox: text("outbox").primaryKey(),
  fingerprint: jsonb("fingerprint").notNull(),
  acceptedAt: instant("accepted_at").notNull().default(sql`clock_timestamp()`),
  acceptedBy: text("accepted_by").notNull(),
  /** Partitions of the table that have held unsent messages for minutes, by their oid; see read-detached.ts. */
  partitions: text("partitions").array(),
  /** Tables that had the name when earlier mappings were accepted, by their oid; see read-replaced.ts. */
  earlierTables: text("earlier_tables").array(),
  /** Where these oids mean what they meant; see server-identity.ts. */
  server: text("server"),
});

/** One turn of retention. Each batch is counted here in the transaction that removes it. */
export const retentionRun = storeSide.table(
  "retention_run",
  {
    id: uuid("id").primaryKey(),
    outbox: text("outbox").notNull(),
    subject: text("subject").notNull(),
    /** The policy in force, as text. */
    rule: text("rule").notNull(),
    startedAt: instant("started_at").notNull().default(sql`clock_timestamp()`),
    endedAt: instant("ended_at"),
    removedRows: bigint("removed_rows", { mode: "number" }).notNull().default(0),
    removedBytes: bigint("removed_bytes", { mode: "number" }).notNull().default(0),
    end: text("end"),
    detail: text("detail"),
  },
  (table) => [index("retention_run_time_idx").on(table.outbox, table.startedAt)],
);
