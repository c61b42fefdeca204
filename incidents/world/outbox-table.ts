import type { Pool } from "pg";

/** A team's table, and its section of outbox.yaml. */
export interface TableLayout {
  ddl: (table: string) => string;
  /** Merged into the outbox's section of outbox.yaml. */
  config?: Record<string, unknown>;
}

/** A table for our relay, with the recommended indexes. */
export const RELAYED: TableLayout = {
  ddl: (table) => `
    CREATE TABLE ${table} (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(), seq bigint GENERATED ALWAYS AS IDENTITY, aggregate_type text NOT NULL,
      aggregate_id text NOT NULL, event_type text NOT NULL, payload jsonb NOT NULL,
      created_at timestamptz NOT NULL DEFAULT clock_timestamp(), available_at timestamptz, published_at timestamptz);
    CREATE INDEX ON ${table} (seq) WHERE published_at IS NULL;
    CREATE INDEX ON ${table} (created_at DESC, id DESC);
    CREATE INDEX ON ${table} (aggregate_id, created_at DESC)`,
  config: {
    columns: { order: "seq", availableAt: "available_at", publishedAt: "published_at" },
    lifecycle: { kind: "timestamp" },
  },
};

/** The same in MySQL. */
export const RELAYED_MYSQL: TableLayout = {
  ddl: (table) => `
    CREATE TABLE ${table} (
      id char(36) NOT NULL PRIMARY KEY, seq bigint NOT NULL AUTO_INCREMENT UNIQUE, aggregate_type varchar(100) NOT NULL,
      aggregate_id varchar(100) NOT NULL, event_type varchar(100) NOT NULL, payload json NOT NULL,
      created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), available_at datetime(6), published_at datetime(6),
      KEY (published_at, seq), KEY (created_at, id), KEY (aggregate_id, created_at))`,
  ...(RELAYED.config ? { config: RELAYED.config } : {}),
};

/** A library's table with status words, published by its own relay. */
export const WORDED: TableLayout = {
  ddl: (table) => `
    CREATE TABLE ${table} (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(), aggregate_id text NOT NULL, event_type text NOT NULL, payload jsonb NOT NULL,
      created_at timestamptz NOT NULL DEFAULT clock_timestamp(), status text NOT NULL DEFAULT 'pending');
    CREATE INDEX ON ${table} (status, created_at)`,
  config: {
    mode: "operate",
    lifecycle: {
      kind: "status",
      pending: ["pending"],
      inFlight: ["processing"],
      failed: ["failed"],
      published: ["sent"],
      dead: ["dead"],
    },
  },
};

/** The same with a lease column. */
export const LOCKING: TableLayout = {
  ddl: (table) => `${WORDED.ddl(table)};
    ALTER TABLE ${table} ADD locked_by text, ADD locked_until timestamptz`,
  config: { ...WORDED.config, columns: { lockedBy: "locked_by", lockedUntil: "locked_until" } },
};

/** Without a creation time. */
export const AGELESS: TableLayout = {
  ddl: (table) => `
    CREATE TABLE ${table} (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, aggregate_id text NOT NULL, event_type text NOT NULL, payload jsonb NOT NULL,
      sent boolean NOT NULL DEFAULT false);
    CREATE INDEX ON ${table} (id) WHERE NOT sent`,
  config: { mode: "operate", columns: { publishedAt: "sent" }, lifecycle: { kind: "flag" } },
};

export interface EventSpec {
  eventType: string;
  aggregateId: string;
  /** Seconds until it is due. */
  dueInSeconds?: number;
  /** Seconds since it was written. */
  ageSeconds?: number;
}

/** Writes events into a table of layout `RELAYED` in one transaction, as a producer does; returns ids in order. */
export async function insertEvents(pool: Pool, table: string, events: readonly EventSpec[]): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO ${table} (aggregate_type, aggregate_id, event_type, payload, created_at, available_at)
     SELECT split_part(aggregate_id, '-', 1), aggregate_id, event_type, jsonb_build_object('aggregate', aggregate_id),
       clock_timestamp() - make_interval(secs => age), clock_timestamp() + make_interval(secs => due)
     FROM unnest($1::text[], $2::text[], $3::float8[], $4::float8[]) WITH ORDINALITY
       AS event(aggregate_id, event_type, age, due, place)
     ORDER BY place RETURNING id`,
    [
      events.map((event) => event.aggregateId),
      events.map((event) => event.eventType),
      events.map((event) => event.ageSeconds ?? 0),
      events.map((event) => event.dueInSeconds ?? null),
    ],
  );
  return rows.map(({ id }) => id);
}
