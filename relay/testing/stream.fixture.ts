import type { Pool } from "pg";
import { waitFor } from "#tests/wait-for.ts";
import { openHarness, type RelayHarness } from "./relay-harness.fixture.ts";

export interface StreamHarness extends RelayHarness {
  slot: string;
}

/** A harness whose outbox has a replication slot, dropped on close. */
export async function openStreamHarness(): Promise<StreamHarness> {
  const harness = await openHarness();
  const slot = await createStream(harness.pool);
  const close = async () => {
    await harness.stop();
    await dropSlot(harness.pool, slot);
    await harness.close();
  };
  return { ...harness, slot, close };
}

/** Slots belong to the whole server: each test database has its own. */
export async function createStream(pool: Pool, table = "outbox_events"): Promise<string> {
  const { rows } = await pool.query("SELECT 's_' || current_database() AS slot");
  const slot: string = rows[0].slot;
  await pool.query(`CREATE PUBLICATION ${slot} FOR TABLE ${table} WITH (publish = 'insert')`);
  await createSlot(pool, slot);
  return slot;
}

export function cdcLine(slot: string, mark = "column"): string {
  return `cdc: { slot: ${slot}, publication: ${slot}, mark: ${mark} }`;
}

export async function createSlot(pool: Pool, slot: string): Promise<void> {
  await pool.query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [slot]);
}

export async function dropSlot(pool: Pool, slot: string): Promise<void> {
  await waitFor(
    async () => {
      const { rows } = await pool.query("SELECT active FROM pg_replication_slots WHERE slot_name = $1", [slot]);
      if (rows[0]?.active === true) return false;
      await pool.query("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1", [
        slot,
      ]);
      return true;
    },
    { message: `the slot ${slot} is free` },
  );
}

/** The stream's state in the relay's latest heartbeat. */
export function streamState(harness: RelayHarness): Promise<{ connected: boolean; lagBytes: number | null } | null> {
  return harness.scalar(
    "SELECT stream FROM outbox_console.relay_instance ORDER BY heartbeat_at DESC LIMIT 1",
  ) as Promise<{
    connected: boolean;
    lagBytes: number | null;
  } | null>;
}

export async function waitUntilConnected(harness: RelayHarness): Promise<void> {
  await waitFor(async () => (await streamState(harness))?.connected === true, {
    message: "the log is read",
  });
}

/** True if the slot is confirmed up to `lsn`. */
export async function confirmedBeyond(harness: RelayHarness, slot: string, lsn: string): Promise<boolean> {
  return (await harness.scalar(
    `SELECT confirmed_flush_lsn >= '${lsn}' FROM pg_replication_slots WHERE slot_name = '${slot}'`,
  )) as boolean;
}

export async function currentLsn(harness: RelayHarness): Promise<string> {
  return (await harness.scalar("SELECT pg_current_wal_lsn()::text")) as string;
}
