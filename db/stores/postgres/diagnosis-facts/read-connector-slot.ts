import type { PoolClient } from "pg";
import type { ConnectorSlot } from "#domain/diagnosis/facts/connector.ts";

/** A slot is of the whole cluster; a logical one belongs to one database, which need not be this one. */
const SLOT_SQL = `
SELECT slot_name AS slot, active, wal_status AS "walStatus",
  greatest(0, pg_wal_lsn_diff(now_at, restart_lsn))::float8 AS "lagBytes",
  greatest(0, pg_wal_lsn_diff(now_at, confirmed_flush_lsn))::float8 AS "unconfirmedBytes"
FROM pg_replication_slots,
  (SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_receive_lsn() ELSE pg_current_wal_lsn() END AS now_at) AS log
WHERE slot_name = $1 AND database = current_database()`;

/** The slot as the server has it; null without a name. */
export async function readConnectorSlot(client: PoolClient, slot: string | null): Promise<ConnectorSlot | null> {
  if (slot === null) return null;
  const { rows } = await client.query<Omit<ConnectorSlot, "found">>(SLOT_SQL, [slot]);
  const [row] = rows;
  if (row) return { ...row, found: true };
  return { slot, found: false, active: false, walStatus: null, lagBytes: null, unconfirmedBytes: null };
}
