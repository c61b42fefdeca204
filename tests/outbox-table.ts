import type { Client } from "pg";
import type { MappedColumn, OutboxMapping } from "#db/stores/port/mapping.ts";

export const TABLE = "public.bench_outbox";
export const OUTBOX = "bench";
export const AGGREGATES = 10_000;

const DDL = `
DROP TABLE IF EXISTS ${TABLE};
CREATE TABLE ${TABLE} (
  id uuid NOT NULL DEFAULT gen_random_uuid(), seq bigint GENERATED ALWAYS AS IDENTITY, aggregate_type text NOT NULL, aggregate_id text NOT NULL,
  event_type text NOT NULL, payload jsonb NOT NULL, headers jsonb, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz)`;
/** Indexes: of the unsent rows in order, of all rows in order, or none. */
const INDEXES = {
  unsent: `CREATE INDEX bench_outbox_pending ON ${TABLE} (seq) WHERE published_at IS NULL`,
  all: `CREATE INDEX bench_outbox_order ON ${TABLE} (seq)`,
  none: "",
};

export const INSERT_ONE = `INSERT INTO ${TABLE} (id, aggregate_type, aggregate_id, event_type, payload)
  VALUES ($1, 'order', $2, 'order.changed', $3)`;

/** About 500 bytes of text. */
export function payloadOf(n: number): string {
  return JSON.stringify({ n, note: "x".repeat(470) });
}

/** Queries of a drain on its table. */
export interface BenchTable {
  /** Whether the last unsent row should be published; costs the server almost nothing. */
  hasUnsent(): Promise<boolean>;
  countUnsent(): Promise<number>;
}

/** The Postgres table, over a client. */
export function benchTable(client: Client): BenchTable {
  return { hasUnsent: () => hasUnsent(client), countUnsent: () => countUnsent(client) };
}

export interface TableContents {
  /** Published long ago, with small payloads. */
  published?: number;
  /** Dead messages moved to the dead letters, as in a table whose rows can be moved. */
  buried?: number;
  /** Dead messages still in the table, with their state on the store side. */
  dead?: number;
  /** The oldest unsent messages, of one aggregate whose head waits an hour for its next attempt. */
  blocked?: number;
  /** Default: the one that is recommended, of unsent rows. */
  index?: keyof typeof INDEXES;
}

/** The table before a run, with statistics and without messages to send. */
export async function makeTable(client: Client, contents: TableContents = {}): Promise<void> {
  await client.query(DDL);
  await client.query(
    "TRUNCATE outbox_console.delivery, outbox_console.dead_letter, outbox_console.claim, outbox_console.lease, outbox_console.relay_instance",
  );
  const insert = (rows: number, aggregate: string, payload: string, publishedAt: string) =>
    client.query(
      `INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload, created_at, published_at)
       SELECT 'order', ${aggregate}, 'order.changed', jsonb_build_object('n', i, 'note', repeat('x', ${payload})),
         now() - interval '2 days' + i * interval '1 ms', ${publishedAt} FROM generate_series(1, ${rows}) i`,
    );
  const { published = 0, buried = 0, dead = 0, blocked = 0, index = "unsent" } = contents;
  if (published > 0) await insert(published, `(i % ${AGGREGATES})::text`, "40", "now() - interval '1 day'");
  if (buried > 0) await insert(buried, "'dead-' || i % 1000", "470", "NULL");
  if (buried > 0) await client.query(BURY);
  if (dead > 0) await insert(dead, "'dead-' || i % 1000", "470", "NULL");
  if (blocked > 0) await insert(blocked, "'blocked'", "470", "NULL");
  await client.query(`ALTER TABLE ${TABLE} ADD PRIMARY KEY (id); ${INDEXES[index]}`);
  if (dead > 0) await client.query(`${RECORD} , now() FROM ${TABLE} WHERE aggregate_id LIKE 'dead-%'`);
  if (blocked > 0) {
    await client.query(
      `${RECORD.replace("dead_at", "next_attempt_at")}, now() + interval '1 hour' FROM ${TABLE}
       WHERE aggregate_id = 'blocked' ORDER BY seq LIMIT 1`,
    );
  }
  await settleDown(client);
}

const RECORD = `INSERT INTO outbox_console.delivery (outbox, message_id, aggregate_key, order_key, attempts, dead_at)
  SELECT '${OUTBOX}', id::text, 'order/' || aggregate_id, ARRAY[seq::text, id::text], 1`;

const BURY = `WITH gone AS (DELETE FROM ${TABLE} WHERE aggregate_id LIKE 'dead-%' RETURNING *)
  INSERT INTO outbox_console.dead_letter (outbox, message_id, image, aggregate_type, aggregate_id, event_type, created_at, payload_bytes,
    attempts, dead_by)
  SELECT '${OUTBOX}', id::text, row_to_json(gone), aggregate_type, aggregate_id, event_type, created_at, 500, 10, 'relay' FROM gone`;

/**
 * SQL: when row `i` of `rows` was created. All are minutes old, however many: a relay reads fresh rows with more care.
 */
export function createdLongAgo(rows: string): string {
  return `now() - interval '1 hour' + (i::float8 / ${rows}) * interval '50 minutes'`;
}

/** An hour's backlog, in as many aggregates as a shop has open orders. */
export async function addPending(client: Client, rows: number, aggregates = AGGREGATES): Promise<number> {
  await client.query(
    `INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload, created_at)
     SELECT 'order', (i % $2)::text, 'order.changed', jsonb_build_object('n', i, 'note', repeat('x', 470)),
       ${createdLongAgo("$1")} FROM generate_series(1, $1) i`,
    [rows, aggregates],
  );
  await settleDown(client);
  return rows;
}

/** The same backlog, each row in a separate transaction, as a reader of the log gets rows from producers. */
export async function addPendingOneByOne(client: Client, rows: number): Promise<number> {
  await client.query("SET synchronous_commit = off");
  await client.query(
    `DO $$ BEGIN
       FOR i IN 1..${Math.trunc(rows)} LOOP
         INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload, created_at)
           VALUES ('order', (i % ${AGGREGATES})::text, 'order.changed', jsonb_build_object('n', i, 'note', repeat('x', 470)),
             ${createdLongAgo(`${Math.trunc(rows)}`)});
         COMMIT;
       END LOOP;
     END $$`,
  );
  await client.query("RESET synchronous_commit");
  await settleDown(client);
  return rows;
}

/** For what a drain left when its time was up: otherwise it would go out before what is measured next. */
export async function publishRest(client: Client): Promise<void> {
  await client.query(`UPDATE ${TABLE} SET published_at = now() WHERE published_at IS NULL`);
  await settleDown(client);
}

async function settleDown(client: Client): Promise<void> {
  await client.query(`VACUUM ANALYZE ${TABLE}`);
  await client.query("ANALYZE outbox_console.delivery, outbox_console.dead_letter");
  await client.query("CHECKPOINT");
}

/** Whether the last unsent row should be published; this query costs the server almost nothing. */
export async function hasUnsent(client: Client): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT EXISTS (SELECT FROM (SELECT aggregate_id FROM ${TABLE} WHERE published_at IS NULL ORDER BY seq DESC LIMIT 1) last
       WHERE aggregate_id BETWEEN '0' AND '9:') AS unsent`,
  );
  return rows[0].unsent;
}

/** Rows of the blocked aggregate and dead rows, which stay, are not counted. */
async function countUnsent(client: Client): Promise<number> {
  const { rows } = await client.query(
    `SELECT count(*)::int AS unsent FROM ${TABLE} WHERE published_at IS NULL AND aggregate_id BETWEEN '0' AND '9:'`,
  );
  return rows[0].unsent;
}

const column = (name: string, type: string, time?: MappedColumn["time"]): MappedColumn => ({
  name,
  type,
  nullable: true,
  from: "config",
  ...(time ? { time } : {}),
});

const PUBLISHED_AT = column("published_at", "timestamp with time zone", { kind: "timestamptz" });

export const MAPPING: OutboxMapping = {
  table: { schema: "public", name: "bench_outbox" },
  primaryKey: [column("id", "uuid")],
  columns: {
    id: column("id", "uuid"),
    payload: column("payload", "jsonb"),
    headers: column("headers", "jsonb"),
    aggregateType: column("aggregate_type", "text"),
    aggregateId: column("aggregate_id", "text"),
    eventType: column("event_type", "text"),
    order: column("seq", "bigint"),
    createdAt: column("created_at", "timestamp with time zone", { kind: "timestamptz" }),
    publishedAt: PUBLISHED_AT,
  },
  lifecycle: { kind: "timestamp", column: PUBLISHED_AT },
  deadAttempts: null,
  archiveTable: null,
  shape: "configured",
};
