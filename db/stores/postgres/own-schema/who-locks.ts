import type { PoolClient } from "pg";
import type { OwnTableLock } from "#db/stores/shared/connection/own-table-locked.ts";
import { endTransactionSql, notOurSession } from "./our-sessions.ts";

/** Weaker locks do not block writers. */
const AGAINST_WRITERS = ["ShareLock", "ShareRowExclusiveLock", "ExclusiveLock", "AccessExclusiveLock"];
const AGAINST_READERS = ["AccessExclusiveLock"];

/** A prepared transaction's locks have no pid; the lock on its own transaction id leads to its name. */
const HOLDERS = `SELECT a.pid, p.gid AS "preparedId", nullif(a.application_name, '') AS name, l.relation::regclass::text AS "table"
  FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
    LEFT JOIN pg_locks own ON l.pid IS NULL AND own.pid IS NULL AND own.virtualtransaction = l.virtualtransaction AND own.locktype = 'transactionid'
    LEFT JOIN pg_prepared_xacts p ON p.transaction = own.transactionid
  WHERE ${notOurSession("a")} AND l.locktype = 'relation' AND l.granted AND l.mode = ANY ($1)
    AND l.relation IN (SELECT c.oid FROM pg_class c WHERE c.relnamespace = to_regnamespace('outbox_console')
      AND c.relkind = 'r' AND ($2::text[] IS NULL OR c.relname = ANY ($2)))
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND coalesce(a.pid::text, p.gid) IS NOT NULL
  ORDER BY coalesce(a.xact_start, p.prepared) LIMIT 1`;

interface Holder {
  pid: number | null;
  preparedId: string | null;
  name: string | null;
  table: string;
}

/**
 * The longest lock of another program on one of our tables, of these or of all; null if there is none. `against`: whom
 * it keeps waiting. Reads only the catalog.
 */
export async function whoLocksOwnTable(
  client: Pick<PoolClient, "query">,
  against: "readers" | "writers",
  tables: readonly string[] | null = null,
): Promise<OwnTableLock | null> {
  const modes = against === "readers" ? AGAINST_READERS : AGAINST_WRITERS;
  const { rows } = await client.query<Holder>(HOLDERS, [modes, tables]);
  const [holder] = rows;
  if (!holder) return null;
  const { pid, preparedId, name, table } = holder;
  const who = preparedId === null ? `${name ?? "a session"} (pid ${pid})` : `the prepared transaction ${preparedId}`;
  return { clause: `${who} has locked the table ${table}`, endStatement: endTransactionSql(pid, preparedId) };
}
