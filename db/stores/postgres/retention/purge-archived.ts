import { sql } from "drizzle-orm";
import type { Pool } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { RemovedRows, RemoveRequest } from "#db/stores/port/retention.ts";
import { queryOn } from "../connection/query-on.ts";
import { withWriteTransaction } from "../connection/transaction.ts";
import { archive } from "../own-schema/schema.ts";
import { boundOf } from "./removable.ts";
import { countInRun, limits } from "./remove-published.ts";

/**
 * Deletes the oldest entries of our archive. One whose row is in the team's own archive table stays. Uses
 * archive_time_idx.
 */
export function purgeArchived(
  pool: Pool,
  ref: OutboxRef,
  keepSeconds: number,
  request: Omit<RemoveRequest, "after">,
): Promise<RemovedRows> {
  return withWriteTransaction(pool, async (client) => {
    await client.query(limits(request.timeoutMs));
    const { rows: gone } = await queryOn(client).execute<{ bytes: number }>(
      sql`DELETE FROM ${archive} WHERE ${archive.outbox} = ${ref.name} AND ${archive.messageId} = ANY(ARRAY(
         SELECT ${archive.messageId} FROM ${archive}
         WHERE ${archive.outbox} = ${ref.name} AND ${archive.archivedAt} < ${boundOf(keepSeconds)} AND ${archive.image} IS NOT NULL
         ORDER BY ${archive.archivedAt} LIMIT ${request.limit} FOR UPDATE SKIP LOCKED))
       RETURNING pg_column_size(${archive.image}) AS bytes`,
    );
    const bytes = gone.reduce((sum, row) => sum + row.bytes, 0);
    await countInRun(client, request.run, { rows: gone.length, bytes });
    return { rows: gone.length, bytes, kept: [], next: gone.length < request.limit ? null : "more" };
  });
}
