import { and, asc, eq, gt, inArray, isNull, sql } from "drizzle-orm";
import { AppError } from "#domain/errors.ts";
import { type ItemOutcome, RETRY_OUTCOMES } from "#domain/message/bulk-operation.ts";
import type { MessageState } from "#domain/message/message-state.ts";
import type { BulkLease, BulkRecords, ItemResult, ItemRow, NewItem } from "../../port/bulk-records.ts";
import type { VerbRequest } from "../../port/verb.ts";
import type { Pool } from "../connection/pool.ts";
import type { OwnTables, Session } from "../connection/session.ts";
import { asNumber, NOW } from "../tables/column-values.ts";
import { saveProgress, whileHeld } from "./bulk-operations.ts";

/** Rows of one INSERT: some bytes each, far below the server's limit of a statement. */
const ROWS_AT_ONCE = 500;

const itemColumns = ({ operationItem: item }: OwnTables) => ({
  seq: item.seq,
  messageId: item.messageId,
  version: item.version,
  eventType: item.eventType,
  aggregateId: item.aggregateId,
  stateBefore: sql<MessageState>`${item.stateBefore}`,
  outcome: sql<ItemOutcome | null>`${item.outcome}`,
  code: item.code,
  message: item.message,
  actedAt: item.actedAt,
  settledAt: item.settledAt,
});

export function addItems(
  pool: Pool,
  lease: BulkLease,
  { items, progress }: { items: readonly NewItem[]; progress: unknown },
): Promise<boolean> {
  const work = async (session: Session) => {
    const { db, own } = session;
    for (let from = 0; from < items.length; from += ROWS_AT_ONCE)
      await db.insert(own.operationItem).values(items.slice(from, from + ROWS_AT_ONCE).map(rowOf(lease.id)));
    await saveProgress(session, lease, progress);
    return true;
  };
  return whileHeld(pool, lease, { work, otherwise: false });
}

const rowOf =
  (operationId: string) =>
  ({ refused, ...item }: NewItem) => ({
    operationId,
    ...item,
    outcome: refused ? "refused" : null,
    code: refused?.code ?? null,
    message: refused?.message ?? null,
    settledAt: refused ? NOW : null,
  });

/** In ascending `seq`. Indexes: primary key; operation_item_outcome_idx. */
export function listItems(
  { db, own }: Session,
  { id, outcome, afterSeq, limit }: Parameters<BulkRecords["items"]>[0],
): Promise<ItemRow[]> {
  const { operationItem: item } = own;
  const having = outcome === "left" ? isNull(item.outcome) : outcome ? eq(item.outcome, outcome) : undefined;
  return db
    .select(itemColumns(own))
    .from(item)
    .where(and(eq(item.operationId, id), having, afterSeq === null ? undefined : gt(item.seq, afterSeq)))
    .orderBy(asc(item.seq))
    .limit(limit);
}

export async function countItems(
  { db, own }: Session,
  id: string,
): Promise<Partial<Record<ItemOutcome | "left", number>>> {
  const { operationItem: item } = own;
  const rows = await db
    .select({ outcome: sql<ItemOutcome | null>`${item.outcome}`, items: asNumber(sql`count(*)`) })
    .from(item)
    .where(eq(item.operationId, id))
    .groupBy(item.outcome);
  return Object.fromEntries(rows.map(({ outcome, items }) => [outcome ?? "left", items]));
}

/** One statement for all items with the same outcome and message, all of them in one round trip. */
export function settleItems(pool: Pool, lease: BulkLease, results: readonly ItemResult[]): Promise<boolean> {
  const work = async (session: Session) => {
    const { db, own } = session;
    const { operationItem: item } = own;
    const alike = Map.groupBy(results, ({ outcome, code, message }) => JSON.stringify([outcome, code, message]));
    const updates = [...alike.values()].flatMap((group) => {
      const [first] = group;
      if (!first) return [];
      const { outcome, code, message } = first;
      const isOpen = RETRY_OUTCOMES.includes(outcome) ? eq(item.outcome, "released") : isNull(item.outcome);
      const these = inArray(
        item.seq,
        group.map(({ seq }) => seq),
      );
      return db
        .update(item)
        .set({ outcome, code, ...timesOf(outcome), ...(message === null ? {} : { message }) })
        .where(and(eq(item.operationId, lease.id), these, isOpen));
    });
    await session.script(updates);
    return true;
  };
  return whileHeld(pool, lease, { work, otherwise: false });
}

/** A released item has been acted on, with an outcome that is not known yet. */
function timesOf(outcome: ItemResult["outcome"]) {
  return outcome === "released" ? { actedAt: NOW, settledAt: null } : { settledAt: NOW };
}

export function cancelItems(pool: Pool, lease: BulkLease, limit: number): Promise<number> {
  const work = async (session: Session) => {
    const { operationItem: item } = session.own;
    const cancelled = session.db
      .update(item)
      .set({ outcome: "cancelled", settledAt: NOW })
      .where(and(eq(item.operationId, lease.id), isNull(item.outcome)))
      .orderBy(item.seq)
      .limit(limit);
    return (await session.run(cancelled)).affectedRows;
  };
  return whileHeld(pool, lease, { work, otherwise: 0 });
}

/** Deletes at most `batch` items of operations that ended more than `keepDays` ago; returns their number. */
export async function deleteOldItems(session: Session, keepDays: number, batch: number): Promise<number> {
  const { operation, operationItem: item } = session.own;
  const has = sql`EXISTS (SELECT 1 FROM ${item} WHERE ${item.operationId} = ${operation.id})`;
  const [old] = await session.db
    .select({ id: operation.id })
    .from(operation)
    .where(and(sql`${operation.endedAt} < ${NOW} - INTERVAL ${keepDays} DAY`, has))
    .limit(1);
  if (!old) return 0;
  const { affectedRows } = await session.run(
    session.db.delete(item).where(eq(item.operationId, old.id)).orderBy(item.seq).limit(batch),
  );
  return affectedRows;
}

/**
 * Writes the outcomes of acts in their transaction. Throws conflict if an item has an outcome already. Index: primary
 * key, which the statement names: the one by outcome would lead through all items that are left.
 */
export async function settleActs(
  session: Session,
  acts: readonly { verb: VerbRequest; message: string }[],
): Promise<void> {
  const { operationItem: item } = session.own;
  const items = acts.flatMap(({ verb, message }) =>
    verb.item ? [{ ...verb.item, operationId: verb.operationId, message }] : [],
  );
  const alike = Map.groupBy(items, ({ operationId, outcome, message }) =>
    JSON.stringify([operationId, outcome, message]),
  );
  let settled = 0;
  for (const group of alike.values()) {
    const [first] = group;
    if (!first) continue;
    const { operationId, outcome, message } = first;
    const these = inArray(
      item.seq,
      group.map(({ seq }) => seq),
    );
    const set = { outcome, message, actedAt: NOW, settledAt: outcome === "done" ? NOW : null };
    const assignments = Object.entries(set).map(
      ([key, value]) => sql`${sql.identifier(item[key as keyof typeof set].name)} = ${value}`,
    );
    const { affectedRows } = await session.run(
      sql`UPDATE ${item} FORCE INDEX (PRIMARY) SET ${sql.join(assignments, sql`, `)}
        WHERE ${and(eq(item.operationId, operationId), these, isNull(item.outcome))}`,
    );
    settled += affectedRows;
  }
  if (settled === items.length) return;
  throw new AppError("conflict", "This item of the operation has its outcome already: nothing was changed.");
}
