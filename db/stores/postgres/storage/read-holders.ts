import type { PoolClient } from "pg";
import type { TableName } from "#db/stores/port/mapping.ts";
import type { StorageHolder } from "#db/stores/port/storage.ts";
import { endSessionSql, notOurSession, shownQuery } from "../own-schema/our-sessions.ts";
import { instantText, quoteLiteral, quoteTable } from "../tables/mapping-sql.ts";

/** Snapshots younger than this are ignored: they soon end. */
const LEAST_SECONDS = 5;

/**
 * Sessions and prepared transactions whose snapshot keeps vacuum from removing rows, sessions with a lock on the table
 * that others would wait for, and slots that hold back vacuum.
 */
const HOLDERS_SQL = `
WITH tree AS (SELECT to_regclass($1)::oid AS oid UNION SELECT inhrelid FROM pg_inherits WHERE inhparent = to_regclass($1)::oid),
locks AS (SELECT l.pid, string_agg(DISTINCT l.mode, ', ') AS modes FROM pg_locks l JOIN tree ON tree.oid = l.relation
  WHERE l.locktype = 'relation' AND l.granted AND l.mode NOT IN ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock')
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) GROUP BY l.pid)
SELECT * FROM (
  SELECT 'session' AS kind, coalesce(locks.modes, 'old rows') AS holds, a.pid, coalesce(nullif(a.application_name, ''), 'unnamed') AS name, a.usename AS "user",
    a.state, ${shownQuery("a.query")} AS query, a.xact_start AS since, age(a.backend_xmin)::float8 AS transactions, ${notOurSession("a")} AS foreign_session
  FROM pg_stat_activity a LEFT JOIN locks ON locks.pid = a.pid
  WHERE a.datname = current_database() AND a.pid <> pg_backend_pid() AND a.backend_type = 'client backend'
    AND (a.backend_xmin IS NOT NULL OR locks.pid IS NOT NULL) AND a.xact_start < clock_timestamp() - make_interval(secs => $2)
  UNION ALL
  SELECT 'prepared', 'old rows', NULL, p.gid, p.owner, 'prepared', NULL, p.prepared, age(p.transaction)::float8, true
  FROM pg_prepared_xacts p WHERE p.database = current_database()
  UNION ALL
  SELECT 'slot', CASE WHEN s.xmin IS NOT NULL THEN 'old rows' ELSE 'old rows of the catalog' END, s.active_pid, s.slot_name, NULL,
    CASE WHEN s.active THEN 'active' ELSE 'inactive' END, NULL, NULL, age(coalesce(s.xmin, s.catalog_xmin))::float8, true
  FROM pg_replication_slots s WHERE (s.database IS NULL OR s.database = current_database()) AND NOT s.temporary
    AND (s.xmin IS NOT NULL OR (s.catalog_xmin IS NOT NULL AND NOT s.active))) held
ORDER BY since NULLS LAST, transactions DESC NULLS LAST LIMIT 20`;

interface HolderRow extends Omit<StorageHolder, "sinceAt" | "ageSeconds" | "cancelSql" | "endSql"> {
  sinceAt: string | null;
  ageSeconds: number | null;
}

export async function readHolders(client: PoolClient, table: TableName): Promise<StorageHolder[]> {
  const text = `SELECT kind, holds, pid, name, "user", state, query, transactions, ${instantText("since")} AS "sinceAt",
    extract(epoch FROM clock_timestamp() - since)::float8 AS "ageSeconds" FROM (${HOLDERS_SQL}) h`;
  const { rows } = await client.query<HolderRow>(text, [quoteTable(table), LEAST_SECONDS]);
  return rows.map((row) => ({ ...row, ...statementsOf(row) }));
}

function statementsOf({ kind, pid, name }: HolderRow): Pick<StorageHolder, "cancelSql" | "endSql"> {
  if (kind === "session" && pid !== null)
    return { cancelSql: `SELECT pg_cancel_backend(${pid});`, endSql: `${endSessionSql(pid)};` };
  if (kind === "prepared") return { cancelSql: null, endSql: endOfPrepared(name) };
  const endSql = `-- Its reader never gets what it has not read.\nSELECT pg_drop_replication_slot(${quoteLiteral(name)});`;
  return { cancelSql: null, endSql };
}

/** A transaction that was prepared is one part of several: they end alike. */
function endOfPrepared(name: string): string {
  const id = quoteLiteral(name);
  return `-- Where its other databases have committed theirs:\nCOMMIT PREPARED ${id};\n-- Where they have rolled back:\nROLLBACK PREPARED ${id};`;
}
