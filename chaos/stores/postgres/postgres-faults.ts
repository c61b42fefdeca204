import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { EventLog } from "../../event-log.ts";
import type { Step } from "../../schedule.ts";
import type { ChaosStore } from "../chaos-store.ts";
import { TABLE } from "./postgres-tables.ts";

interface FaultInput {
  url: string;
  pool: pg.Pool;
  log: EventLog;
}

export function postgresFaults(input: FaultInput): ChaosStore["foreign"] {
  return {
    "sessions-terminate": (step) => terminateSessions(input, step),
    /** A foreign report whose transaction id and snapshot hold back the xmin horizon. */
    "foreign-snapshot": (step) =>
      holdTransaction(input, step, "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT pg_current_xact_id()"),
    /** A foreign clean-up that locks unsent rows, so that they cannot be marked. */
    "foreign-locks": (step) =>
      holdTransaction(
        input,
        step,
        `BEGIN; SELECT id FROM ${TABLE} WHERE published_at IS NULL ORDER BY random() LIMIT ${step.amount} FOR UPDATE SKIP LOCKED`,
      ),
  };
}

/** Kills `amount` percent of the relays' sessions. */
async function terminateSessions({ pool, log }: FaultInput, { kind, amount }: Step): Promise<boolean> {
  const over = log.begin(kind);
  try {
    const { rowCount } = await pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'outbox-console%' AND random() * 100 < $1`,
      [amount],
    );
    return (rowCount ?? 0) > 0;
  } catch (error) {
    log.note("fault-failed", { kind, error: String(error) });
    return false;
  } finally {
    over();
  }
}

async function holdTransaction({ url, log }: FaultInput, { kind, forMs }: Step, sql: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, application_name: "chaos foreigner" });
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
