import type { PoolClient } from "pg";
import type { StorageSlot } from "#db/stores/port/storage.ts";

const MEGABYTE = 1_048_576;

const SLOTS_SQL = `
SELECT slot_name AS name, slot_name LIKE 'outbox\\_console\\_%' AS "isOurs", active AS "isActive", active_pid AS pid, wal_status AS "walStatus",
  greatest(0, pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_receive_lsn() ELSE pg_current_wal_lsn() END, restart_lsn))::float8 AS "keptBytes",
  (SELECT setting::float8 FROM pg_settings WHERE name = 'max_slot_wal_keep_size') AS "limitMegabytes"
FROM pg_replication_slots WHERE NOT temporary ORDER BY "keptBytes" DESC NULLS LAST LIMIT 50`;

type SlotRow = Omit<StorageSlot, "limitBytes"> & { limitMegabytes: number };

/** Slots of the whole server: each of them makes it keep log. `ours`: names that the configuration gives. */
export async function readSlots(client: PoolClient, ours: readonly string[]): Promise<StorageSlot[]> {
  const { rows } = await client.query<SlotRow>(SLOTS_SQL);
  return rows.map(({ name, isOurs, isActive, pid, keptBytes, walStatus, limitMegabytes }) => ({
    ...{ name, isActive, pid, keptBytes, walStatus },
    isOurs: isOurs || ours.includes(name),
    limitBytes: limitMegabytes < 0 ? null : limitMegabytes * MEGABYTE,
  }));
}
