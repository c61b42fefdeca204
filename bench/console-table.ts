import type { Client } from "pg";

/** Layout a of docs/shapes.md: times, attempts and the last error in the row, no sequence. */
export const CONSOLE_TABLE = "public.outbox_events";
/** Its relay gives up at this count. */
export const DEAD_ATTEMPTS = 10;

const DDL = `
DROP TABLE IF EXISTS ${CONSOLE_TABLE};
CREATE TABLE ${CONSOLE_TABLE} (
  id uuid NOT NULL DEFAULT gen_random_uuid(), aggregate_id text NOT NULL, event_type text NOT NULL, payload jsonb NOT NULL,
  occurred_at timestamptz NOT NULL, dispatched_at timestamptz, attempts int NOT NULL DEFAULT 0, last_error text)`;

/** The index that tutorials recommend; it also contains dead rows. */
export const TUTORIAL_INDEX = `CREATE INDEX outbox_events_waiting ON ${CONSOLE_TABLE} (occurred_at) WHERE dispatched_at IS NULL`;

const DAYS = 30;
const AGGREGATES = 200_000;

export interface ConsoleContents {
  rows: number;
  dead: number;
  failed: number;
  pending: number;
}

/**
 * The table after `DAYS` days. Dead rows lie among the published ones; failed and waiting rows are from the last
 * minutes. Loaded with synchronous_commit off, then vacuumed and analysed.
 */
export async function makeConsoleTable(client: Client, contents: ConsoleContents): Promise<void> {
  await client.query(DDL);
  await client.query("SET synchronous_commit = off; SET maintenance_work_mem = '1GB'");
  const { rows, dead } = contents;
  const every = Math.max(1, Math.floor(rows / Math.max(1, dead)));
  const isDead = dead === 0 ? "false" : `(i % ${every} = 0 AND i / ${every} <= ${dead})`;
  await client.query(
    `INSERT INTO ${CONSOLE_TABLE} (aggregate_id, event_type, payload, occurred_at, dispatched_at, attempts, last_error)
     SELECT 'order-' || i % ${AGGREGATES}, ${eventType("i")}, ${payload("i")}, at, CASE WHEN NOT dead THEN at + interval '80 ms' END,
       CASE WHEN dead THEN 10 ELSE 0 END, CASE WHEN dead THEN ${errorText("i")} END
     FROM (SELECT i, ${isDead} AS dead, now() - interval '${DAYS} days' + i * (interval '${DAYS} days' / ${rows}) AS at FROM generate_series(1, ${rows}) i) made`,
  );
  await addWaiting(client, contents);
  await client.query(`ALTER TABLE ${CONSOLE_TABLE} ADD PRIMARY KEY (id)`);
  await settle(client);
}

async function addWaiting(client: Client, { failed, pending }: ConsoleContents): Promise<void> {
  await client.query(
    `INSERT INTO ${CONSOLE_TABLE} (aggregate_id, event_type, payload, occurred_at, attempts, last_error)
     SELECT 'order-' || i * 7 % ${AGGREGATES}, ${eventType("i")}, ${payload("i")}, now() - i * interval '100 ms',
       CASE WHEN i <= ${failed} THEN 1 + i % 9 ELSE 0 END, CASE WHEN i <= ${failed} THEN ${errorText("i")} END
     FROM generate_series(1, ${failed + pending}) i`,
  );
}

/** Adds dead rows up to a count, as in a team whose relay never cleans them up. */
export async function addDead(client: Client, rows: number): Promise<void> {
  await client.query(
    `INSERT INTO ${CONSOLE_TABLE} (aggregate_id, event_type, payload, occurred_at, attempts, last_error)
     SELECT 'order-' || i % ${AGGREGATES}, ${eventType("i")}, ${payload("i")},
       now() - interval '${DAYS} days' + i * (interval '${DAYS} days' / ${rows + 1}), 10 + i % 3, ${errorText("i")}
     FROM generate_series(1, ${rows}) i`,
  );
  await settle(client);
}

export async function settle(client: Client, table: string = CONSOLE_TABLE): Promise<void> {
  await client.query(`VACUUM ANALYZE ${table}`);
  await client.query("CHECKPOINT");
}

/** Twenty types; one of them has a sixth of all rows. */
function eventType(i: string): string {
  return `CASE WHEN hashint4(${i}) % 100 BETWEEN -8 AND 7 THEN 'invoice.rendered' ELSE 'order.changed.' || abs(hashint4(${i}) % 19) END`;
}

function payload(i: string): string {
  return `jsonb_build_object('n', ${i}, 'note', repeat('x', 470))`;
}

/** A dozen error causes, with texts that vary from row to row. */
function errorText(i: string): string {
  return `(ARRAY['HTTP 500: template not found for invoice ', 'HTTP 422: unknown customer ', 'connect ETIMEDOUT 10.0.0.', 'payload too large: '])[1 + abs(hashint4(${i} / 3) % 4)] || ${i} % 250 || ' (' || abs(hashint4(${i} / 7) % 3) || ')'`;
}
