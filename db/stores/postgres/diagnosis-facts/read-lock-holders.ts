import { sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ScanRefused } from "#db/stores/port/scan-refused.ts";
import { errorCode } from "#db/stores/shared/connection/driver-error.ts";
import { unsent } from "#db/stores/shared/states/state-predicates.ts";
import type { LockHolder } from "#domain/diagnosis/facts/sessions.ts";
import { queryOn } from "../connection/query-on.ts";
import { endTransactionSql, notOurSession, shownQuery } from "../own-schema/our-sessions.ts";
import { deliveryOrder } from "../plans/table-access.ts";
import { entriesOf, entryOrder, readGuarded } from "../read/read-entries.ts";
import { instantText, quoteTable } from "../tables/mapping-sql.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { readLocksElsewhere } from "./read-locks-elsewhere.ts";
import { requirePart } from "./require-reading.ts";

const ROWS_LOOKED_AT = 10_000;

/**
 * Sessions and prepared transactions that have held a lock stronger than a reader's on the table or a partition for a
 * while, and readers behind which another session queues for the whole table: all other sessions then wait behind that
 * session. Of several queued sessions, the next one waits for the fewest. A prepared transaction's locks have no pid,
 * pg_blocking_pids names it 0, and the lock on its own transaction id shows which virtual transaction it is. Reads only
 * the catalog, so it works even while the table itself is locked. Transaction ids serve to find the locked rows.
 */
const HOLDERS_SQL = `
WITH target AS (
  SELECT to_regclass($1)::oid AS oid UNION ALL SELECT inhrelid FROM pg_inherits WHERE inhparent = to_regclass($1)::oid),
held AS (
  SELECT l.pid, CASE WHEN l.pid IS NULL THEN l.virtualtransaction END AS prepared, (array_agg(l.mode ORDER BY array_position(ARRAY['AccessExclusiveLock', 'ExclusiveLock', 'ShareRowExclusiveLock',
      'ShareLock', 'ShareUpdateExclusiveLock', 'RowExclusiveLock', 'RowShareLock', 'AccessShareLock'], l.mode)))[1] AS mode
  FROM pg_locks l JOIN target ON target.oid = l.relation
  WHERE l.locktype = 'relation' AND l.granted
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  GROUP BY 1, 2),
waiting AS MATERIALIZED (
  SELECT w.pid, unnest(pg_blocking_pids(w.pid)) AS blocker FROM pg_stat_activity w
  WHERE w.wait_event_type = 'Lock' AND w.datname = current_database()
    AND EXISTS (SELECT FROM pg_locks l JOIN target ON target.oid = l.relation WHERE l.pid = w.pid AND (NOT l.granted OR l.locktype = 'tuple'))),
requests AS (
  SELECT DISTINCT w.pid, coalesce(nullif(w.application_name, ''), w.usename) || ' (pid ' || w.pid || ')' AS session,
    cardinality(pg_blocking_pids(w.pid)) AS place, l.mode = 'AccessExclusiveLock' AS exclusive
  FROM pg_stat_activity w JOIN pg_locks l ON l.pid = w.pid JOIN target ON target.oid = l.relation
  WHERE NOT l.granted AND l.mode IN ('AccessExclusiveLock', 'ExclusiveLock', 'ShareRowExclusiveLock', 'ShareLock')),
queued AS (
  SELECT waiting.blocker, array_agg(requests.session ORDER BY requests.place, requests.pid) AS sessions,
    bool_or(requests.exclusive) AS exclusive
  FROM waiting JOIN requests ON requests.pid = waiting.pid GROUP BY waiting.blocker)
SELECT NULL::int AS pid, p.gid AS "preparedId", p.owner::text AS "user", NULL AS "applicationName", NULL AS "clientAddress", 'prepared' AS state,
  ${instantText("p.prepared")} AS "transactionAt", NULL AS "queryAt", NULL AS query, held.mode,
  ARRAY(SELECT DISTINCT waiting.pid FROM waiting JOIN pg_locks l ON l.pid = waiting.pid AND NOT l.granted
    WHERE waiting.blocker = 0 AND (l.locktype = 'relation' OR l.transactionid = p.transaction)) AS "blockedPids",
  p.transaction::text AS xid, coalesce(queued.sessions, '{}') AS "queuedSessions",
  coalesce(queued.exclusive, false) AS "keepsOutReaders"
FROM held JOIN pg_locks own ON own.pid IS NULL AND own.virtualtransaction = held.prepared AND own.locktype = 'transactionid'
  JOIN pg_prepared_xacts p ON p.transaction = own.transactionid LEFT JOIN queued ON queued.blocker = 0
WHERE p.database = current_database() AND (held.mode <> 'AccessShareLock' OR queued.sessions IS NOT NULL)
  AND p.prepared < clock_timestamp() - make_interval(secs => $2)
UNION ALL
SELECT a.pid, NULL, a.usename AS "user", nullif(a.application_name, '') AS "applicationName", host(a.client_addr) AS "clientAddress", a.state,
  ${instantText("a.xact_start")} AS "transactionAt", ${instantText("a.query_start")} AS "queryAt", ${shownQuery("a.query")} AS query,
  held.mode, ARRAY(SELECT DISTINCT waiting.pid FROM waiting WHERE waiting.blocker = a.pid) AS "blockedPids",
  (SELECT x.transactionid::text FROM pg_locks x WHERE x.pid = a.pid AND x.locktype = 'transactionid' AND x.granted AND x.mode = 'ExclusiveLock' LIMIT 1) AS xid,
  coalesce(queued.sessions, '{}') AS "queuedSessions",
  coalesce(queued.exclusive, false) AS "keepsOutReaders"
FROM held JOIN pg_stat_activity a ON a.pid = held.pid LEFT JOIN queued ON queued.blocker = a.pid
WHERE a.backend_type = 'client backend' AND ${notOurSession("a")}
  AND (held.mode <> 'AccessShareLock' OR queued.sessions IS NOT NULL AND NOT EXISTS (SELECT FROM waiting WHERE waiting.pid = a.pid))
  AND a.xact_start < clock_timestamp() - make_interval(secs => $2)
ORDER BY "transactionAt" LIMIT 20`;

type HolderRow = Omit<LockHolder, "rows" | "wholeTable" | "endStatement" | "queuedSessions" | "preparedId"> & {
  preparedId: string | null;
  xid: string | null;
  queuedSessions: string[];
};

/**
 * Other programs' sessions and prepared transactions that hold locks on waiting rows or the whole table, longest first;
 * then those that hold something else that our relay needs for its marks.
 */
export async function readLockHolders(client: PoolClient, ref: OutboxRef, heldSeconds: number): Promise<LockHolder[]> {
  const { rows } = await client.query<HolderRow>(HOLDERS_SQL, [quoteTable(ref.mapping.table), heldSeconds]);
  const holders: LockHolder[] = [];
  for (const { xid, preparedId, ...holder } of rows) {
    holders.push({
      ...holder,
      ...(preparedId === null ? {} : { preparedId }),
      endStatement: endTransactionSql(holder.pid, preparedId),
      wholeTable: locksTable(holder.mode) || holder.queuedSessions.length > 0,
      keepsOutReaders: holder.mode === "AccessExclusiveLock" || holder.keepsOutReaders,
      rows:
        xid === null || locksTable(holder.mode) || holder.queuedSessions.length > 0
          ? 0
          : await countLockedRows(client, ref, xid),
    });
  }
  const elsewhere = await readLocksElsewhere(client, ref, heldSeconds);
  return [...holders, ...elsewhere.filter((one) => !holders.some(({ pid }) => pid === one.pid))];
}

/** True for modes that block all writes to the table; row readers may have to wait as well. */
function locksTable(mode: string): boolean {
  return ["AccessExclusiveLock", "ExclusiveLock", "ShareRowExclusiveLock", "ShareLock"].includes(mode);
}

/**
 * Number of waiting rows locked by a transaction, which the row's xmax names; rows locked by several sessions carry
 * another number and are missed. Null if the table cannot be read now, e.g. behind a waiting ALTER TABLE, or if a large
 * table has no index of waiting rows.
 */
async function countLockedRows(client: PoolClient, ref: OutboxRef, xid: string): Promise<number | null> {
  await client.query("SAVEPOINT locked_rows");
  try {
    const db = queryOn(client);
    const outbox = outboxTable(ref.mapping);
    const order = deliveryOrder(ref);
    const reading = await requirePart(client, ref, "waiting");
    const looked = db
      .select({ locker: sql`${outbox.rows}.xmax`.as("locker") })
      .from(entriesOf(client, ref, reading, entryOrder(reading, order)) as PgTable)
      .where(unsent(outbox))
      .orderBy(...order)
      .limit(ROWS_LOOKED_AT)
      .as("looked");
    const query = db.select({ count: sql<number>`count(*)::int` }).from(looked).where(sql`locker = ${xid}::xid`);
    const [row] = await readGuarded(client, reading, () => query);
    return row?.count ?? 0;
  } catch (error) {
    if (!(error instanceof ScanRefused) && !["55P03", "57014"].includes(errorCode(error) ?? "")) throw error;
    await client.query("ROLLBACK TO SAVEPOINT locked_rows");
    return null;
  }
}
