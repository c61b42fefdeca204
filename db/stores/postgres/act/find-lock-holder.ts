import type { Pool } from "pg";
import { formatDuration } from "#domain/format.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { keyArrays } from "../read/find-message.ts";
import { keyMatch, quoteTable } from "../tables/mapping-sql.ts";

/** Which session has locked a message's row, as a clause for people; undefined when it let go, or several share the row. */
export async function findLockHolder(pool: Pool, ref: OutboxRef, id: string): Promise<string | undefined> {
  const keys = keyArrays(ref.mapping, id);
  if (!keys) return undefined;
  const result = await pool.query<{ pid: number; name: string | null; seconds: number | null }>(
    `SELECT a.pid, nullif(a.application_name, '') AS name, extract(epoch FROM clock_timestamp() - a.xact_start)::float8 AS seconds
     FROM ${quoteTable(ref.mapping.table)} t JOIN pg_locks l ON l.locktype = 'transactionid' AND l.granted AND l.transactionid = t.xmax
     JOIN pg_stat_activity a ON a.pid = l.pid WHERE ${keyMatch(ref.mapping, "t", 1)} LIMIT 1`,
    keys,
  );
  const [holder] = result.rows;
  if (!holder) return undefined;
  const since = holder.seconds === null ? "" : `, in a transaction that began ${formatDuration(holder.seconds)} ago`;
  return `pid ${holder.pid}${holder.name ? ` (${holder.name})` : ""}${since}`;
}
