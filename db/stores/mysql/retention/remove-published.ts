import { and, eq, inArray, sql } from "drizzle-orm";
import { keyColumns } from "#db/stores/port/message-id.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { RemovedRows, RemoveRequest, RetentionRule } from "#db/stores/port/retention.ts";
import { type AgeColumn, requireAge } from "#db/stores/shared/retention/age-column.ts";
import { PINS } from "#db/stores/shared/retention/retention-words.ts";
import { requireByMapping } from "#db/stores/shared/retention/why-not-by-mapping.ts";
import { AppError } from "#domain/errors.ts";
import { requireAcceptedTable } from "../act/require-accepted-table.ts";
import { withLimitedWrite } from "../connection/limited-write.ts";
import type { Pool } from "../connection/pool.ts";
import type { Session } from "../connection/session.ts";
import { keyMatch } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { requireTransactions } from "../tables/require-transactions.ts";
import { requireZones } from "../tables/zones.ts";
import { copyToArchive, restorable } from "./archive-rows.ts";
import { chooseWalk } from "./choose-walk.ts";
import { findRemovable } from "./find-removable.ts";
import { isRemovable } from "./removable.ts";

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
  return withLimitedWrite(pool, request.timeoutMs, async (session) => {
    await requireZones(session, ref.mapping);
    await requireTransactions(session, ref.mapping.table);
    requireByMapping(ref);
    await requireAcceptedTable(session, ref);
    const age = requireAge(ref);
    const walk = await chooseWalk(session, ref, age);
    if (!walk) throw new AppError("wrong_state", "No index leads to the oldest rows of this table any more.");
    const after = request.after === null ? null : (JSON.parse(request.after) as string[]);
    const found = await findRemovable(session, ref, { rule, age, walk, limit: request.limit, after });
    const ids = rule.how === "archive" ? await restorable(session, ref, found.ids) : found.ids;
    if (ids.length > 0 && rule.how === "archive") await copyToArchive(session, ref, ids);
    await deleteRows(session, ref, { rule, age, ids });
    const bytes = Math.round((found.bytes * ids.length) / Math.max(1, found.ids.length));
    await countInRun(session, request.run, { rows: ids.length, bytes });
    const lost = found.ids.length - ids.length;
    const broken = lost > 0 ? [{ reason: PINS.broken, rows: lost }] : [];
    const next = found.next === null ? null : JSON.stringify(found.next);
    return { rows: ids.length, bytes, kept: [...found.kept, ...broken], next };
  });
}

interface Doomed {
  rule: RetentionRule;
  age: AgeColumn;
  ids: readonly string[];
}

async function deleteRows(session: Session, ref: OutboxRef, { rule, age, ids }: Doomed): Promise<void> {
  if (ids.length === 0) return;
  const outbox = outboxTable(ref.mapping);
  const byKey = keyMatch(outbox, keyColumns(ids, ref.mapping.primaryKey.length));
  const { affectedRows } = await session.run(
    sql`DELETE ${outbox.rows} FROM ${outbox.table} ${outbox.rows} WHERE ${byKey} AND ${isRemovable(ref, rule, age)}`,
  );
  if (affectedRows !== ids.length)
    throw new AppError(
      "conflict",
      `${ids.length} rows were to go and the delete found ${affectedRows}: nothing was removed.`,
    );
  const { delivery } = session.own;
  await session.run(
    session.db.delete(delivery).where(and(eq(delivery.outbox, ref.name), inArray(delivery.messageId, [...ids]))),
  );
}

/** Throws if the run's row is gone: rows must not be removed without being counted. */
export async function countInRun(
  session: Session,
  run: string,
  { rows, bytes }: { rows: number; bytes: number },
): Promise<void> {
  const { retentionRun } = session.own;
  const counted = await session.run(
    sql`UPDATE ${retentionRun} SET removed_rows = removed_rows + ${rows}, removed_bytes = removed_bytes + ${bytes} WHERE ${retentionRun.id} = ${run}`,
  );
  if (counted.affectedRows !== 1) throw new AppError("not_found", "This run of retention was not begun.");
}
