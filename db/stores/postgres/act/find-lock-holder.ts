import { sql } from "drizzle-orm";
import type { Pool } from "pg";
import { formatDuration } from "#domain/format.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { queryOn } from "../connection/query-on.ts";
import { keyIs } from "../read/find-message.ts";
import { keyArrays } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";

/**
 * Names the session or the prepared transaction that has locked a message's row, as a clause; undefined if it released
 * the row or several share it.
 */
export async function findLockHolder(pool: Pool, ref: OutboxRef, id: string): Promise<string | undefined> {
  const keys = keyArrays(ref.mapping, id);
  if (!keys) return undefined;
  const { table, rows } = outboxTable(ref.mapping);
  const result = await queryOn(pool).execute<Holder>(
    sql`SELECT a.pid, nullif(a.application_name, '') AS name, p.gid AS prepared,
       extract(epoch FROM clock_timestamp() - coalesce(a.xact_start, p.prepared))::float8 AS seconds
     FROM ${table} ${rows} JOIN pg_locks l ON l.locktype = 'transactionid' AND l.granted AND l.transactionid = ${rows}.xmax
     LEFT JOIN pg_stat_activity a ON a.pid = l.pid LEFT JOIN pg_prepared_xacts p ON p.transaction = ${rows}.xmax AND l.pid IS NULL
     WHERE ${keyIs(ref.mapping, keys)} AND coalesce(a.pid::text, p.gid) IS NOT NULL LIMIT 1`,
  );
  const [holder] = result.rows;
  if (!holder) return undefined;
  const age = holder.seconds === null ? null : formatDuration(holder.seconds);
  if (holder.prepared !== null)
    return `the prepared transaction ${holder.prepared}${age === null ? "" : `, prepared ${age} ago`}`;
  const since = age === null ? "" : `, in a transaction that began ${age} ago`;
  return `pid ${holder.pid}${holder.name ? ` (${holder.name})` : ""}${since}`;
}

interface Holder extends Record<string, unknown> {
  pid: number | null;
  name: string | null;
  prepared: string | null;
  seconds: number | null;
}
