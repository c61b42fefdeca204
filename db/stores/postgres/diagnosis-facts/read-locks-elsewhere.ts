import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { LockHolder } from "#domain/diagnosis/facts/sessions.ts";
import { endTransactionSql, notOurSession, shownQuery } from "../own-schema/our-sessions.ts";
import { instantText, quoteTable } from "../tables/mapping-sql.ts";

/**
 * Sessions for which one of ours waits that has locked rows of the outbox's table, by a lock on something else: a
 * trigger or a foreign key of the table needs it. Reads only the catalog.
 */
const HOLDERS_ELSEWHERE_SQL = `
WITH target AS (
  SELECT to_regclass($1)::oid AS oid UNION ALL SELECT inhrelid FROM pg_inherits WHERE inhparent = to_regclass($1)::oid),
stuck AS MATERIALIZED (
  SELECT w.pid, pg_blocking_pids(w.pid) AS blockers FROM pg_stat_activity w
  WHERE w.wait_event_type = 'Lock' AND w.datname = current_database() AND NOT ${notOurSession("w")}
    AND EXISTS (SELECT FROM pg_locks l JOIN target ON target.oid = l.relation
      WHERE l.pid = w.pid AND l.granted AND l.locktype = 'relation' AND l.mode = 'RowExclusiveLock')
    AND NOT EXISTS (SELECT FROM pg_locks l JOIN target ON target.oid = l.relation
      WHERE l.pid = w.pid AND (NOT l.granted OR l.locktype = 'tuple'))),
needed AS (
  SELECT unnest(stuck.blockers) AS blocker, stuck.pid, l.relation AS oid,
    CASE WHEN l.locktype = 'relation' THEN 'the table ' || l.relation::regclass
      WHEN l.locktype = 'advisory' THEN 'an advisory lock'
      ELSE coalesce((SELECT 'rows of ' || t.relation::regclass FROM pg_locks t WHERE t.pid = stuck.pid AND t.locktype = 'tuple' LIMIT 1),
        'rows of another table') END AS what
  FROM stuck JOIN pg_locks l ON l.pid = stuck.pid AND NOT l.granted)
SELECT a.pid, a.usename AS "user", nullif(a.application_name, '') AS "applicationName", host(a.client_addr) AS "clientAddress", a.state,
  ${instantText("a.xact_start")} AS "transactionAt", ${instantText("a.query_start")} AS "queryAt", ${shownQuery("a.query")} AS query,
  coalesce((SELECT l.mode FROM pg_locks l WHERE l.pid = a.pid AND l.granted AND l.relation = min(needed.oid)
    ORDER BY l.mode = 'AccessExclusiveLock' DESC, l.mode LIMIT 1), 'ExclusiveLock') AS mode,
  min(needed.what) AS elsewhere, array_agg(DISTINCT needed.pid) AS "blockedPids"
FROM needed JOIN pg_stat_activity a ON a.pid = needed.blocker
WHERE a.backend_type = 'client backend' AND ${notOurSession("a")}
  AND a.xact_start < clock_timestamp() - make_interval(secs => $2)
GROUP BY a.pid, a.usename, a.application_name, a.client_addr, a.state, a.xact_start, a.query_start, a.query
ORDER BY "transactionAt" LIMIT 20`;

type HolderRow = Omit<LockHolder, "pid" | "rows" | "wholeTable" | "keepsOutReaders" | "endStatement"> & { pid: number };

/** Other programs' sessions that hold what our relay needs for marking, other than the outbox's table and its rows. */
export async function readLocksElsewhere(
  client: PoolClient,
  ref: OutboxRef,
  heldSeconds: number,
): Promise<LockHolder[]> {
  const { rows } = await client.query<HolderRow>(HOLDERS_ELSEWHERE_SQL, [quoteTable(ref.mapping.table), heldSeconds]);
  return rows.map((holder) => ({
    ...holder,
    ...{ rows: 0, wholeTable: false, keepsOutReaders: false },
    endStatement: endTransactionSql(holder.pid, null),
  }));
}
