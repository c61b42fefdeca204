import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Step } from "../schedule.ts";
import { TABLE } from "../world/relay-config.ts";
import type { World } from "../world/world.ts";

/** Kills `amount` percent of the relays' sessions. */
export async function terminateBackends({ pool, log }: World, { amount }: Step): Promise<boolean> {
  const over = log.begin("backends-terminate");
  try {
    const { rowCount } = await pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'outbox-console%' AND random() * 100 < $1`,
      [amount],
    );
    return (rowCount ?? 0) > 0;
  } catch (error) {
    log.note("fault-failed", { kind: "backends-terminate", error: String(error) });
    return false;
  } finally {
    over();
  }
}

/** A foreign report whose transaction id and snapshot hold back the xmin horizon. */
export function holdSnapshot(world: World, step: Step): Promise<boolean> {
  return holdTransaction(world, step, "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT pg_current_xact_id()");
}

/** A foreign clean-up that locks unsent rows, so that they cannot be marked. */
export function holdLocks(world: World, step: Step): Promise<boolean> {
  return holdTransaction(
    world,
    step,
    `BEGIN; SELECT id FROM ${TABLE} WHERE published_at IS NULL ORDER BY random() LIMIT ${step.amount} FOR UPDATE SKIP LOCKED`,
  );
}

async function holdTransaction({ server, log }: World, { kind, forMs }: Step, sql: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: server.url, application_name: "chaos foreigner" });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const over = log.begin(kind);
    await client.query(sql);
    await delay(forMs);
    over();
    await client.query("ROLLBACK");
    return true;
  } catch (error) {
    log.note("fault-failed", { kind, error: String(error) });
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
