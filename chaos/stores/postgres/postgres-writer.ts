import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { WriterSession } from "../writer-session.ts";
import { TABLE } from "./postgres-tables.ts";

/** Locks the aggregate's row before drawing the sequence, and until the commit. */
const WRITE = `
WITH locked AS (UPDATE chaos_aggregate SET version = version + $2::int WHERE id = $1 RETURNING version - $2::int AS before),
written AS (
  INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload, available_at)
  SELECT 'order', $1, 'order.changed', jsonb_build_object('aggregate', $1::text, 'n', before + i, 'pad', repeat('x', $4::int)),
    clock_timestamp() + $3::int * interval '1 ms'
  FROM locked, generate_series(1, $2::int) i ORDER BY i
  RETURNING id, seq, aggregate_id, payload, available_at)
INSERT INTO chaos_ledger SELECT id, seq, aggregate_id, (payload->>'n')::int, available_at IS NOT NULL FROM written`;

export async function openPostgresWriter(url: string): Promise<WriterSession> {
  const client = new pg.Client({ connectionString: url, application_name: "chaos writer" });
  client.on("error", () => undefined);
  const close = () => client.end().catch(() => undefined);
  try {
    await client.connect();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    write: async ({ batches, holdMs, rollBack }) => {
      await client.query("BEGIN");
      for (const { aggregate, count, scheduledMs, pad } of batches)
        await client.query(WRITE, [aggregate, count, scheduledMs, pad]);
      if (holdMs > 0) await delay(holdMs);
      await client.query(rollBack ? "ROLLBACK" : "COMMIT");
      return !rollBack;
    },
    close,
  };
}
