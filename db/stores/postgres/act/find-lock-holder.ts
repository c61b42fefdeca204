import { sql } from "drizzle-orm";
import type { Pool } from "pg";
import { formatDuration } from "#domain/format.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { queryOn } from "../connection/query-on.ts";
import { keyArrays, keyIs } from "../read/find-message.ts";
import { outboxTable } from "../tables/outbox-table.ts";

/** Names the session that has locked a message's row, as a clause; undefined if it released the row or several share it. */
export async function findLockHolder(pool: Pool, ref: OutboxRef, id: string): Promise<string | undefined> {
  const keys = keyArrays(ref.mapping, id);
  if (!keys) return undefined;
  const { table, rows } = outboxTable(ref.mapping);
  const result = await queryOn(pool).execute<{ pid: number; name: string | null; seconds: number | null }>(
    sql`SELECT a.pid, nullif(a.application_name, '') AS name, extract(epoch FROM clock_timestamp() - a.xact_start)::float8 AS seconds
     FROM ${table} ${rows} JOIN pg_locks l ON l.locktype = 'transactionid' AND l.granted AND l.transactionid = ${rows}.xmax
     JOIN pg_stat_activity a ON a.pid = l.pid WHERE ${keyIs(ref.mapping, keys)} LIMIT 1`,
  );
  const [holder] = result.rows;
  if (!holder) return undefined;
  const since = holder.seconds === null ? "" : `, in a transaction that began ${formatDuration(holder.seconds)} ago`;
  return `pid ${holder.pid}${holder.name ? ` (${holder.name})` : ""}${since}`;
}
