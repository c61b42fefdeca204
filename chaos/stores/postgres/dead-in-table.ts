import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { EventLog } from "../../event-log.ts";
import { OUTBOX } from "../../world/relay-config.ts";
import type { DeadInTable } from "../chaos-store.ts";
import { TABLE } from "./postgres-tables.ts";

export interface BuriedInTable extends DeadInTable {
  close(): Promise<void>;
}

/** A foreign key to outbox rows, so that they cannot be moved. */
const REFERENCE = `CREATE TABLE chaos_reference (event uuid REFERENCES ${TABLE} (id))`;

/**
 * Inserts numbers `$1` to `$2` of some aggregates, with ledger rows. Old by default, so that no concurrent writer is
 * assumed.
 */
const write = (name: string, aggregates: number, createdAt = "now() - interval '1 day'") => `
WITH written AS (
  INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload, created_at)
  SELECT 'order', '${name}-' || i % ${aggregates}, 'order.changed',
    jsonb_build_object('aggregate', '${name}-' || i % ${aggregates}, 'n', i / ${aggregates} + 1), ${createdAt}
  FROM generate_series($1::int, $2::int) i ORDER BY i
  RETURNING id, seq, aggregate_id, payload, created_at),
ledger AS (INSERT INTO chaos_ledger SELECT id, seq, aggregate_id, (payload->>'n')::int, false FROM written)`;
const LIVE = `${write("backlog", 100)} SELECT count(*) FROM written`;
const DEAD = `${write("dead", 500)}
INSERT INTO outbox_console.delivery (outbox, message_id, aggregate_key, order_key, event_type, created_at, attempts, dead_at, dead_by)
SELECT '${OUTBOX}', id::text, 'order/' || aggregate_id, ARRAY[seq::text, id::text], 'order.changed', created_at, 1, now(), 'relay'
FROM written RETURNING message_id AS id`;
const late = (index: number) => `${write(`late${index}`, 1, "now()")} SELECT count(*) FROM written`;

const BEHIND = 3000;
/**
 * Commit times of the late rows, as shares of the run. A later one is more likely to have lost its connection before.
 */
const LATE_AT = [0.02, 0.1, 0.3];

/**
 * Creates a table with `count` dead messages that stay in it, and rows among them that are not committed yet: reads
 * that skip the dead must find them. A backlog follows after them.
 */
export async function buryInTable(databaseUrl: string, count: number, log: EventLog): Promise<BuriedInTable> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: "chaos writer" });
  const writers = LATE_AT.map(() => new pg.Client({ connectionString: databaseUrl, application_name: "chaos writer" }));
  for (const one of [client, ...writers]) {
    one.on("error", () => undefined);
    await one.connect();
  }
  const half = Math.floor(count / 2);
  await client.query(REFERENCE);
  const first = await client.query<{ id: string }>(DEAD, [0, half - 1]);
  for (const [index, writer] of writers.entries()) {
    await writer.query("BEGIN");
    await writer.query(late(index), [0, 0]);
  }
  const second = await client.query<{ id: string }>(DEAD, [half, count - 1]);
  await client.query(LIVE, [0, BEHIND - 1]);
  await client.query(`ANALYZE ${TABLE}, outbox_console.delivery`);
  await client.end();
  return {
    ids: [...first.rows, ...second.rows].map(({ id }) => id),
    async commitLate(chaosMs) {
      const one = async (writer: pg.Client, index: number) => {
        await delay((LATE_AT[index] ?? 0) * chaosMs);
        try {
          await writer.query("COMMIT");
          await writer.query(late(index), [1, 1]);
          log.note("late-committed", { index });
        } catch (error) {
          log.note("writer-broken", { error: String(error) });
        }
      };
      await Promise.all(writers.map(one));
    },
    async close() {
      for (const writer of writers) await writer.end().catch(() => undefined);
    },
  };
}
