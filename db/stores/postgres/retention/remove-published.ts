import { eq, sql } from "drizzle-orm";
import type { Pool, PoolClient } from "pg";
import { keyColumns } from "#db/stores/port/message-id.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { RemovedRows, RemoveRequest, RetentionRule } from "#db/stores/port/retention.ts";
import { type AgeColumn, requireAge } from "#db/stores/shared/retention/age-column.ts";
import { PINS } from "#db/stores/shared/retention/retention-words.ts";
import { requireByMapping } from "#db/stores/shared/retention/why-not-by-mapping.ts";
import { AppError } from "#domain/errors.ts";
import { requireAcceptedTable } from "../act/require-accepted-table.ts";
import { queryOn } from "../connection/query-on.ts";
import { withWriteTransaction } from "../connection/transaction.ts";
import { delivery, retentionRun } from "../own-schema/schema.ts";
import { arrayParameters, keyMatch } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { copyToArchive, restorable } from "./archive-rows.ts";
import { chooseWalk } from "./choose-walk.ts";
import { findRemovable } from "./find-removable.ts";
import { isRemovable } from "./removable.ts";

/** Longest wait for a lock: a batch that has to queue would make others queue behind it. */
const LOCK_TIMEOUT_MS = 200;
/**
 * Rows are found by their keys. A plan that reads the whole table instead would be chosen while statistics are old, and
 * is never wanted.
 */
const PLANNER = "SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off";

/**
 * Removes one batch and counts it in its run, in one transaction. Race: a row is locked before it is judged, and judged
 * again as it is deleted; a deleted row that the second look did not find rolls everything back.
 */
export function removePublished(
  pool: Pool,
  ref: OutboxRef,
  rule: RetentionRule,
  request: RemoveRequest,
): Promise<RemovedRows> {
  return withWriteTransaction(pool, async (client) => {
    await client.query(limits(request.timeoutMs));
    requireByMapping(ref);
    await requireAcceptedTable(client, ref);
    const age = requireAge(ref);
    const walk = await chooseWalk(client, ref, age);
    if (!walk) throw new AppError("wrong_state", "No index leads to the oldest rows of this table any more.");
    await client.query(PLANNER);
    const after = request.after === null ? null : (JSON.parse(request.after) as string[]);
    const found = await findRemovable(client, ref, { rule, age, walk, limit: request.limit, after });
    const ids = rule.how === "archive" ? await restorable(client, ref, found.ids) : found.ids;
    if (ids.length > 0 && rule.how === "archive") await copyToArchive(client, ref, ids);
    await deleteRows(client, ref, { rule, age, ids });
    const bytes = Math.round((found.bytes * ids.length) / Math.max(1, found.ids.length));
    await countInRun(client, request.run, { rows: ids.length, bytes });
    const lost = found.ids.length - ids.length;
    const broken = lost > 0 ? [{ reason: PINS.broken, rows: lost }] : [];
    const next = found.next === null ? null : JSON.stringify(found.next);
    return { rows: ids.length, bytes, kept: [...found.kept, ...broken], next };
  });
}

export function limits(timeoutMs: number): string {
  return `SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}; SET LOCAL statement_timeout = ${Math.floor(timeoutMs)}`;
}

interface Doomed {
  rule: RetentionRule;
  age: AgeColumn;
  ids: readonly string[];
}

async function deleteRows(client: PoolClient, ref: OutboxRef, { rule, age, ids }: Doomed): Promise<void> {
  if (ids.length === 0) return;
  const outbox = outboxTable(ref.mapping);
  const byKey = keyMatch(outbox, arrayParameters(keyColumns(ids, ref.mapping.primaryKey.length)));
  const db = queryOn(client);
  const gone = await db.execute(
    sql`DELETE FROM ${outbox.table} ${outbox.rows} WHERE ${byKey} AND ${isRemovable(ref, rule, age)}`,
  );
  if (gone.rowCount !== ids.length)
    throw new AppError(
      "conflict",
      `${ids.length} rows were to go and the delete found ${gone.rowCount ?? 0}: nothing was removed.`,
    );
  await db.execute(
    sql`DELETE FROM ${delivery} WHERE ${delivery.outbox} = ${ref.name} AND ${delivery.messageId} = ANY(${sql.param([...ids])})`,
  );
}

/** Throws if the run's row is gone: rows must not be removed without being counted. */
export async function countInRun(
  client: PoolClient,
  run: string,
  { rows, bytes }: { rows: number; bytes: number },
): Promise<void> {
  const counted = await queryOn(client)
    .update(retentionRun)
    .set({
      removedRows: sql`${retentionRun.removedRows} + ${rows}`,
      removedBytes: sql`${retentionRun.removedBytes} + ${bytes}`,
    })
    .where(eq(retentionRun.id, run));
  if (counted.rowCount !== 1) throw new AppError("not_found", "This run of retention was not begun.");
}
