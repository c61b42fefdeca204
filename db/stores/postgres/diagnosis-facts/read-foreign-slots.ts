import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { errorCode } from "#db/stores/shared/connection/driver-error.ts";
import type { ForeignSlot } from "#domain/diagnosis/facts/log-readers.ts";
import type { FactLimits } from "../../port/outbox-watch.ts";
import { quoteLiteral } from "../tables/mapping-sql.ts";

const SLOTS_SQL = `
SELECT slot_name AS slot, active, wal_status AS "walStatus",
  greatest(0, pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_receive_lsn() ELSE pg_current_wal_lsn() END, restart_lsn))::float8 AS "lagBytes"
FROM pg_replication_slots
WHERE restart_lsn IS NOT NULL AND NOT temporary AND (database IS NULL OR database = current_database())
  AND slot_name <> ALL ($1)`;

/**
 * Slots that no relay of ours has reported, the one with the most log first; without those that other outboxes are read
 * from. Empty if the user may not read them.
 */
export async function readForeignSlots(
  client: PoolClient,
  ref: OutboxRef,
  configured: FactLimits["configuredSlots"] = { own: null, ofOthers: [] },
): Promise<ForeignSlot[]> {
  const ours = (await mayReadRelays(client, ref))
    ? " AND slot_name NOT IN (SELECT stream ->> 'slot' FROM outbox_console.relay_instance WHERE stream IS NOT NULL AND state <> 'stopped')"
    : "";
  await client.query("SAVEPOINT slots");
  try {
    const found = `${SLOTS_SQL}${ours} ORDER BY "lagBytes" DESC LIMIT 20`;
    const { rows } = await client.query<Omit<ForeignSlot, "dropStatement" | "own">>(found, [configured.ofOthers]);
    return rows.map((row) => ({
      ...row,
      dropStatement: `SELECT pg_drop_replication_slot(${quoteLiteral(row.slot)})`,
      ...(row.slot === configured.own ? { own: true as const } : {}),
    }));
  } catch (error) {
    if (errorCode(error) !== "42501") throw error;
    await client.query("ROLLBACK TO SAVEPOINT slots");
    return [];
  }
}

/** True if relay_instance can be read: an observed outbox may share its database with one that we relay. */
async function mayReadRelays(client: PoolClient, { storeSide }: OutboxRef): Promise<boolean> {
  if (storeSide) return true;
  const { rows } = await client.query<{ may: boolean }>(
    `SELECT coalesce(has_schema_privilege(to_regnamespace('outbox_console'), 'USAGE')
       AND has_table_privilege(to_regclass('outbox_console.relay_instance'), 'SELECT'), false) AS may`,
  );
  return rows[0]?.may ?? false;
}
