import type { Client } from "pg";
import type { MappedColumn, OutboxMapping } from "#db/outbox/mapping.ts";

export const TABLE = "public.bench_outbox";
const AGGREGATES = 10_000;

const DDL = `
DROP TABLE IF EXISTS ${TABLE};
CREATE TABLE ${TABLE} (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(), seq bigint GENERATED ALWAYS AS IDENTITY, aggregate_type text NOT NULL, aggregate_id text NOT NULL,
  event_type text NOT NULL, payload jsonb NOT NULL, headers jsonb, created_at timestamptz NOT NULL DEFAULT now(), published_at timestamptz);
CREATE INDEX bench_outbox_pending ON ${TABLE} (seq) WHERE published_at IS NULL`;

export const INSERT_ONE = `INSERT INTO ${TABLE} (id, aggregate_type, aggregate_id, event_type, payload)
  VALUES ($1, 'order', $2, 'order.changed', $3)`;

/** Some 500 bytes, as text. */
export function payloadOf(n: number): string {
  return JSON.stringify({ n, note: "x".repeat(470) });
}

/** An empty table; with rows, the backlog of an hour in as many aggregates as a shop has orders open. */
export async function makeTable(client: Client, rows: number): Promise<void> {
  await client.query(DDL);
  await client.query(
    "TRUNCATE outbox_console.delivery, outbox_console.claim, outbox_console.lease, outbox_console.relay_instance",
  );
  if (rows > 0) {
    await client.query(
      `INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload, created_at)
       SELECT 'order', (i % ${AGGREGATES})::text, 'order.changed', jsonb_build_object('n', i, 'note', repeat('x', 470)),
         now() - interval '1 hour' + i * interval '30 ms' FROM generate_series(1, $1) i`,
      [rows],
    );
  }
  await client.query(`VACUUM ANALYZE ${TABLE}`);
  await client.query("CHECKPOINT");
}

export async function countUnsent(client: Client): Promise<number> {
  const { rows } = await client.query(`SELECT count(*)::int AS unsent FROM ${TABLE} WHERE published_at IS NULL`);
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
