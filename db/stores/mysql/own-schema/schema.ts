import { getTableName, is } from "drizzle-orm";
import { MySqlTable, type MySqlTableFn, mysqlSchema, mysqlTable } from "drizzle-orm/mysql-core";
import { noteOwnNames, type OwnPlace } from "../connection/own-place.ts";
import {
  changedAt,
  double,
  flag,
  ID_BYTES,
  instant,
  integer,
  jsonText,
  jsonTexts,
  key,
  longText,
  messageId,
  NAME_BYTES,
  outbox,
  serial,
  word,
} from "./column-types.ts";

/** Our own tables where one store keeps them; their SQL is in drizzle/mysql-store. */
export type OwnTables = ReturnType<typeof buildTables>;

const built = new Map<string, OwnTables>();

/** The tables in a place, built once for each place. */
export function ownTables(place: OwnPlace): OwnTables {
  const name = JSON.stringify(place);
  const known = built.get(name);
  if (known) return known;
  const made = buildTables(place);
  noteOwnNames(
    place,
    Object.values(made).flatMap((table) => (is(table, MySqlTable) ? [getTableName(table)] : [])),
  );
  built.set(name, made);
  return made;
}

/**
 * The store side: records that an outbox table itself cannot hold, on the same server, so that an action and its audit
 * row commit together. `outbox` is the outbox's configured name, `message_id` the encoded primary key of its row.
 */
function buildTables(place: OwnPlace) {
  const table = ("database" in place
    ? mysqlSchema(place.database).table
    : (name: string, columns: never) =>
        mysqlTable(`${place.prefix}${name}`, columns)) as unknown as MySqlTableFn<undefined>;
  return {
    place,
    ...bookkeeping(table),
    ...ofDelivery(table),
    ...ofMovedRows(table),
    ...ofOperators(table),
    ...ofRelays(table),
  };
}

function bookkeeping(table: MySqlTableFn<undefined>) {
  return {
    /** One row: whose records these are. */
    meta: table("meta", {
      id: integer("id").primaryKey(),
      /** The database of the outboxes; two stores of one server must not share the records of equal names. */
      database: key("belongs_to", { bytes: NAME_BYTES }).notNull(),
      at: instant("at").notNull(),
    }),
    migration: table("migration", {
      number: integer("number").primaryKey(),
      hash: key("hash", { bytes: 64 }).notNull(),
      at: instant("at").notNull(),
    }),
    /** One row per outbox, locked shared or exclusively; see tables/outbox-lock.ts. */
    outboxLock: table("outbox_lock", { outbox: outbox().primaryKey() }),
    /** The mapping of an outbox that a person accepted or that its first start found; see mapping-fingerprint.ts. */
    mappingFingerprint: table("mapping_fingerprint", {
      outbox: outbox().primaryKey(),
      fingerprint: jsonText("fingerprint").notNull(),
      acceptedAt: instant("accepted_at").notNull(),
      acceptedBy: longText("accepted_by").notNull(),
      /** Which table that was, by InnoDB's number and the table's time of creation; see read-replaced-table.ts. */
      tableId: word("table_id"),
      tableCreated: word("table_created"),
    }),
  };
}

function ofDelivery(table: MySqlTableFn<undefined>) {
  return {
    /** A message that failed, was retried by an operator, or is dead in its table. No row: it never failed. */
    delivery: table("delivery", {
      outbox: outbox(),
      messageId: messageId(),
      aggregateKey: key("aggregate_key", { bytes: 4096 }),
      orderKey: jsonTexts("order_key"),
      eventType: key("event_type", { bytes: 4096 }),
      createdAt: instant("created_at"),
      attempts: integer("attempts").notNull(),
      nextAttemptAt: instant("next_attempt_at"),
      deadAt: instant("dead_at"),
      deadBy: longText("dead_by"),
      firstErrorCode: longText("first_error_code"),
      firstError: longText("first_error"),
      firstFailedAt: instant("first_failed_at"),
      lastErrorCode: longText("last_error_code"),
      lastError: longText("last_error"),
      lastFailedAt: instant("last_failed_at"),
      fingerprint: key("fingerprint", { bytes: 255 }),
      /** The message itself, for a table that is only streamed: its row may be gone before the retry. */
      image: longText("image"),
      changedAt: changedAt(),
    }),
    /**
     * One batch in flight. Committed before publishing, deleted by its last settle; without it a settle marks nothing.
     */
    claim: table("claim", {
      token: key("token", { bytes: 36 }).primaryKey(),
      outbox: outbox(),
      owner: key("owner", { bytes: 512 }).notNull(),
      epoch: integer("epoch").notNull(),
      messageIds: jsonTexts("message_ids").notNull(),
      /**
       * Its single message is the only one that the owner has in flight: if the owner dies now, the message is to
       * blame.
       */
      alone: flag("alone").notNull(),
      startedAt: instant("started_at").notNull(),
    }),
    /** A message that was in flight with a relay when it died. */
    suspect: table("suspect", {
      outbox: outbox(),
      messageId: messageId(),
      /** Number of claims with it that dead relays left behind. */
      orphaned: integer("orphaned").notNull(),
      /** Number of relays that died with this message alone in flight. */
      crashes: integer("crashes").notNull(),
      at: instant("at").notNull(),
      /** Distinguishes the message from a later one of the same id; null in records of earlier releases. */
      identity: key("identity", { bytes: 64 }),
    }),
    /** A row that an operator restored: a stream that reads its insert must not publish it again. */
    restored: table("restored", {
      outbox: outbox(),
      messageId: messageId(),
      at: instant("at").notNull(),
      changedAt: changedAt(),
    }),
    /** Failed attempts, and the attempt that succeeded after one. A message published at once has none. */
    attempt: table("attempt", {
      id: serial(),
      outbox: outbox(),
      messageId: messageId(),
      number: integer("number").notNull(),
      startedAt: instant("started_at").notNull(),
      durationMs: double("duration_ms"),
      outcome: word("outcome").notNull(),
      code: longText("code"),
      error: longText("error"),
      relay: longText("relay"),
      sink: longText("sink"),
    }),
  };
}

const movedRow = () => ({
  outbox: outbox(),
  messageId: messageId(),
  /** Exact image of the row as JSON text; null if the row went into the team's own archive table. */
  image: longText("image"),
  aggregateType: key("aggregate_type", { bytes: 4096 }),
  aggregateId: key("aggregate_id", { bytes: 4096 }),
  eventType: key("event_type", { bytes: 4096 }),
  createdAt: instant("created_at"),
  publishedAt: instant("published_at"),
  payloadBytes: integer("payload_bytes"),
  attempts: integer("attempts").notNull(),
  firstErrorCode: longText("first_error_code"),
  firstError: longText("first_error"),
  firstFailedAt: instant("first_failed_at"),
  lastErrorCode: longText("last_error_code"),
  lastError: longText("last_error"),
  lastFailedAt: instant("last_failed_at"),
  fingerprint: key("fingerprint", { bytes: 255 }),
  changedAt: changedAt(),
});

function ofMovedRows(table: MySqlTableFn<undefined>) {
  return {
    /** Dead messages that were moved out of their table. */
    deadLetter: table("dead_letter", {
      ...movedRow(),
      deadAt: instant("dead_at").notNull(),
      deadBy: longText("dead_by").notNull(),
    }),
    /** Archived messages; restorable to their former state until purged. */
    archive: table("archive", {
      ...movedRow(),
      stateBefore: word("state_before").notNull(),
      deadAt: instant("dead_at"),
      deadBy: longText("dead_by"),
      archivedAt: instant("archived_at").notNull(),
      archivedBy: longText("archived_by").notNull(),
      reason: longText("reason").notNull(),
    }),
  };
}

function ofOperators(table: MySqlTableFn<undefined>) {
  return {
    /** One operator action over one or many messages. */
    operation: table("operation", {
      id: key("id", { bytes: 36 }).primaryKey(),
      outbox: outbox(),
      action: word("action").notNull(),
      actor: key("actor", { bytes: 1024 }).notNull(),
      role: word("role").notNull(),
      reason: longText("reason").notNull(),
      idempotencyKey: key("idempotency_key", { bytes: 1024 }),
      /** Hash of the request: reusing a key for another request is refused. */
      requestHash: key("request_hash", { bytes: 255 }).notNull(),
      /** The operation's record as last written, first at its start. */
      result: jsonText("result"),
      at: instant("at").notNull(),
      /** Null for an operation that ran within its request; the columns below are null or 0 then. */
      state: word("state"),
      plan: jsonText("plan"),
      progress: jsonText("progress"),
      runner: longText("runner"),
      runnerUntil: instant("runner_until"),
      heartbeatAt: instant("heartbeat_at"),
      fence: integer("fence").notNull().default(0),
      endedAt: instant("ended_at"),
    }),
    /** One message of a bulk operation. `outcome` is null until it was acted on. */
    operationItem: table("operation_item", {
      operationId: key("operation_id", { bytes: 36 }).notNull(),
      seq: integer("seq").notNull(),
      messageId: messageId(),
      version: longText("version").notNull(),
      eventType: longText("event_type"),
      aggregateId: longText("aggregate_id"),
      stateBefore: word("state_before").notNull(),
      outcome: word("outcome"),
      code: longText("code"),
      message: longText("message"),
      actedAt: instant("acted_at"),
      settledAt: instant("settled_at"),
    }),
    /** One turn of retention. Each batch is counted here in the transaction that removes it. */
    retentionRun: table("retention_run", {
      id: key("id", { bytes: 36 }).primaryKey(),
      outbox: outbox(),
      subject: key("subject", { bytes: 512 }).notNull(),
      /** The policy in force, as text. */
      rule: longText("rule").notNull(),
      startedAt: instant("started_at").notNull(),
      endedAt: instant("ended_at"),
      removedRows: integer("removed_rows").notNull(),
      removedBytes: integer("removed_bytes").notNull(),
      end: word("end"),
      detail: longText("detail"),
    }),
    /** Append-only: who did what, when and why, and the outcome. */
    audit: table("audit", {
      id: serial(),
      at: instant("at").notNull(),
      actor: key("actor", { bytes: 1024 }).notNull(),
      role: word("role").notNull(),
      action: word("action").notNull(),
      outbox: key("outbox", { bytes: NAME_BYTES }),
      inbox: key("inbox", { bytes: NAME_BYTES }),
      messageId: key("message_id", { bytes: ID_BYTES }),
      operationId: key("operation_id", { bytes: 36 }),
      outcome: word("outcome").notNull(),
      reason: longText("reason"),
      stateBefore: word("state_before"),
      stateAfter: word("state_after"),
      detail: longText("detail"),
    }),
    /**
     * Pauses of a whole outbox, an event type or an aggregate, set by an operator; and holds, set by the relay on an
     * aggregate behind a dead message (`messageId`).
     */
    pause: table("pause", {
      outbox: outbox(),
      scope: key("scope", { bytes: 16 }).notNull(),
      /** The event type or the aggregate's key; empty for the whole outbox. */
      subject: key("subject", { bytes: ID_BYTES }).notNull(),
      reason: longText("reason").notNull(),
      by: longText("by").notNull(),
      messageId: key("message_id", { bytes: ID_BYTES }),
      at: instant("at").notNull(),
      until: instant("until"),
    }),
  };
}

function ofRelays(table: MySqlTableFn<undefined>) {
  return {
    /**
     * The owner of each partition of an outbox, on the database clock. All partitions of one term have its owner and
     * epoch.
     */
    lease: table("lease", {
      outbox: outbox(),
      partition: integer("partition").notNull(),
      owner: key("owner", { bytes: 512 }).notNull(),
      epoch: integer("epoch").notNull(),
      until: instant("until").notNull(),
      /** Length of the lease; null in terms of earlier releases. */
      lengthMs: double("length_ms"),
    }),
    /** How far a relay has read the binary log; see replication/checkpoint.ts. */
    binlogReader: table("binlog_reader", {
      reader: key("reader", { bytes: NAME_BYTES }).primaryKey(),
      /** The place as text that compares in the order of the log. */
      position: key("position", { bytes: 64 }).notNull(),
      /** The server whose file and offset these are. */
      server: key("server", { bytes: 512 }).notNull(),
      /** When the reader was created or came to this server; see replication/binlog-place.ts. */
      incarnation: integer("incarnation").notNull(),
      /** Empty on a server that took over, where only the transactions that were read are known. */
      file: key("file", { bytes: 512 }).notNull(),
      offset: integer("offset").notNull(),
      /** Transactions that were read; null where the server does not number them. */
      gtids: longText("gtids"),
      /** When the last event that was read was written, on the server's clock. */
      readTo: instant("read_to").notNull(),
      changedAt: changedAt(),
    }),
    /** One relay process for one outbox, as of its last heartbeat. */
    relayInstance: table("relay_instance", {
      id: key("id", { bytes: 512 }).notNull(),
      outbox: outbox(),
      host: longText("host").notNull(),
      pid: integer("pid").notNull(),
      version: longText("version").notNull(),
      startedAt: instant("started_at").notNull(),
      heartbeatAt: instant("heartbeat_at").notNull(),
      state: word("state").notNull(),
      source: longText("source").notNull(),
      sink: jsonText("sink").notNull(),
      published: integer("published").notNull(),
      failures: integer("failures").notNull(),
      publishedPerSecond: double("published_per_second"),
      inFlight: integer("in_flight").notNull(),
      lastPublishedAt: instant("last_published_at"),
      lastError: longText("last_error"),
      lastErrorAt: instant("last_error_at"),
      breaker: jsonText("breaker"),
      /** Open breakers of routes: an array of RouteOutage. */
      routes: jsonText("routes").notNull(),
      /** Claimed messages that another program had published or removed when we settled them. Cumulative. */
      foreignPublished: integer("foreign_published").notNull(),
      /** Rows that another program published without a claim of ours, as far as we looked. Cumulative. */
      foreignUnclaimed: integer("foreign_unclaimed").notNull(),
      foreignSince: instant("foreign_since"),
      foreignLastAt: instant("foreign_last_at"),
      /** The host's wall clock minus the database's clock, ms. Null before the first measurement. */
      clockOffsetMs: double("clock_offset_ms"),
      /** Start of the oldest settle still being written. */
      settlingSince: instant("settling_since"),
      lateCommits: integer("late_commits").notNull(),
      /** Partitions of the outbox that it owns. */
      partitions: integer("partitions").notNull(),
      /** For a relay that reads the log: its reader, whether it is connected and since when. */
      stream: jsonText("stream"),
      /** Counts of a latency histogram: a JSON array of numbers. */
      latency: jsonText("latency").notNull(),
    }),
  };
}
