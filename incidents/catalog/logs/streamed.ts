import { setTimeout as delay } from "node:timers/promises";
import type { Pool } from "pg";
import { waitFor } from "#tests/wait-for.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

export const SLOT = "outbox_console_streamed";
const SEGMENTS = 72;

/** The outbox whose relay reads the log. */
export const STREAMED = outboxSpec("streamed", RELAYED, { relay: { source: "cdc" } });

export async function createSlot(pool: Pool): Promise<void> {
  await pool.query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [SLOT]);
}

/** Terminates the slot's reader, and drops the slot before the reader is back. */
export async function dropSlot(pool: Pool): Promise<void> {
  await pool.query(`DO $$
    BEGIN
      FOR n IN 1..200 LOOP
        PERFORM pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = '${SLOT}' AND active;
        BEGIN
          PERFORM pg_drop_replication_slot('${SLOT}');
          RETURN;
        EXCEPTION WHEN object_in_use THEN
          PERFORM pg_sleep(0.01);
        END;
      END LOOP;
    END $$`);
}

/** The pid of the walsender that feeds our relay, once there is one. */
export function walSender(pool: Pool): Promise<number> {
  const read = async () => {
    const { rows } = await pool.query<{ pid: number | null }>(
      "SELECT active_pid AS pid FROM pg_replication_slots WHERE slot_name = $1",
      [SLOT],
    );
    return rows[0]?.pid ?? null;
  };
  return waitFor(read, { timeoutMs: 60_000, intervalMs: 100, message: "our relay reads the slot" });
}

/** Moves the WAL position by more than 1 GB without using disk: each switch leaves the rest of a segment empty. */
export async function writeLog(pool: Pool): Promise<void> {
  for (let n = 0; n < SEGMENTS; n += 1) {
    await pool.query("SELECT pg_logical_emit_message(false, 'incident', 'x'), pg_switch_wal()");
    await delay(0);
  }
}
