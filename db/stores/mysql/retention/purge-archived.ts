import { and, eq, inArray, sql } from "drizzle-orm";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { RemovedRows, RemoveRequest } from "#db/stores/port/retention.ts";
import { withLimitedWrite } from "../connection/limited-write.ts";
import type { Pool } from "../connection/pool.ts";
import { boundOf } from "./removable.ts";
import { countInRun } from "./remove-published.ts";

/** Deletes the oldest entries of our archive. One whose row is in the team's own archive table stays. */
export function purgeArchived(
  pool: Pool,
  ref: OutboxRef,
  keepSeconds: number,
  request: Omit<RemoveRequest, "after">,
): Promise<RemovedRows> {
  return withLimitedWrite(pool, request.timeoutMs, async (session) => {
    const { archive } = session.own;
    const old = sql`${archive.outbox} = ${ref.name} AND ${archive.archivedAt} < ${boundOf(keepSeconds)} AND ${archive.image} IS NOT NULL`;
    const found = await session.rows(
      sql`SELECT ${archive.messageId}, OCTET_LENGTH(${archive.image}) FROM ${archive} WHERE ${old} ORDER BY ${archive.archivedAt} LIMIT ${request.limit} FOR UPDATE SKIP LOCKED`,
    );
    const ids = found.map(([id]) => id ?? "");
    const bytes = found.reduce((sum, [, size]) => sum + Number(size), 0);
    if (ids.length > 0)
      await session.run(
        session.db.delete(archive).where(and(eq(archive.outbox, ref.name), inArray(archive.messageId, ids))),
      );
    await countInRun(session, request.run, { rows: ids.length, bytes });
    return { rows: ids.length, bytes, kept: [], next: ids.length < request.limit ? null : "more" };
  });
}
