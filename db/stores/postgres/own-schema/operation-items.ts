import { and, asc, count, eq, gt, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { Pool, PoolClient } from "pg";
import { AppError } from "#domain/errors.ts";
import { type ItemOutcome, RETRY_OUTCOMES } from "#domain/message/bulk-operation.ts";
import type { MessageState } from "#domain/message/message-state.ts";
import type { BulkLease, BulkRecords, ItemResult, ItemRow, NewItem } from "../../port/bulk-records.ts";
import type { VerbRequest } from "../../port/verb.ts";
import { queryOn } from "../connection/query-on.ts";
import { withWriteTransaction } from "../connection/transaction.ts";
import { instantText } from "../tables/column-values.ts";
import { insertSelect } from "../tables/insert-select.ts";
import { holdsBulk, saveProgress } from "./bulk-operations.ts";
import { operation, operationItem } from "./schema.ts";

const itemColumns = {
  seq: operationItem.seq,
  messageId: operationItem.messageId,
  version: operationItem.version,
  eventType: operationItem.eventType,
  aggregateId: operationItem.aggregateId,
  stateBefore: sql<MessageState>`${operationItem.stateBefore}`,
  outcome: sql<ItemOutcome | null>`${operationItem.outcome}`,
  code: operationItem.code,
  message: operationItem.message,
  actedAt: instantText(sql`${operationItem.actedAt}`) as SQL<string | null>,
  settledAt: instantText(sql`${operationItem.settledAt}`) as SQL<string | null>,
};

const now = sql`clock_timestamp()`;

export function addItems(
  pool: Pool,
  lease: BulkLease,
  input: { items: readonly NewItem[]; progress: unknown },
): Promise<boolean> {
  return withWriteTransaction(pool, async (client) => {
    if (!(await holdsBulk(client, lease))) return false;
    await insertItems(client, lease.id, input.items);
    await saveProgress(client, lease, input.progress);
    return true;
  });
}

/** An array for each column: a parameter for each value would keep the process busy for half a second. */
async function insertItems(client: PoolClient, operationId: string, items: readonly NewItem[]): Promise<void> {
  const of = (pick: (item: NewItem) => unknown) => sql.param(items.map(pick));
  const given = sql`unnest(${of(({ seq }) => seq)}::bigint[], ${of(({ messageId }) => messageId)}::text[],
      ${of(({ version }) => version)}::text[], ${of(({ eventType }) => eventType)}::text[],
      ${of(({ aggregateId }) => aggregateId)}::text[], ${of(({ stateBefore }) => stateBefore)}::text[],
      ${of(({ refused }) => refused?.code ?? null)}::text[], ${of(({ refused }) => refused?.message ?? null)}::text[])
    AS i(seq, message_id, version, event_type, aggregate_id, state_before, code, message)`;
  const refused = sql`i.code IS NOT NULL`;
  const values = {
    operationId: sql`${operationId}::uuid`,
    seq: sql`i.seq`,
    messageId: sql`i.message_id`,
    version: sql`i.version`,
    eventType: sql`i.event_type`,
    aggregateId: sql`i.aggregate_id`,
    stateBefore: sql`i.state_before`,
    outcome: sql`CASE WHEN ${refused} THEN 'refused' END`,
    code: sql`i.code`,
    message: sql`i.message`,
    settledAt: sql`CASE WHEN ${refused} THEN ${now} END`,
  };
  await queryOn(client).execute(insertSelect(operationItem, values, sql`FROM ${given}`));
}

/** In ascending `seq`. */
export function listItems(db: Pool, input: Parameters<BulkRecords["items"]>[0]): Promise<ItemRow[]> {
  const { id, outcome, afterSeq, limit } = input;
  return queryOn(db)
    .select(itemColumns)
    .from(operationItem)
    .where(
      and(
        eq(operationItem.operationId, id),
        outcome === "left" ? isNull(operationItem.outcome) : outcome ? eq(operationItem.outcome, outcome) : undefined,
        afterSeq === null ? undefined : gt(operationItem.seq, afterSeq),
      ),
    )
    .orderBy(asc(operationItem.seq))
    .limit(limit);
}

export async function countItems(db: Pool, id: string): Promise<Partial<Record<ItemOutcome | "left", number>>> {
  const rows = await queryOn(db)
    .select({ outcome: operationItem.outcome, items: count() })
    .from(operationItem)
    .where(eq(operationItem.operationId, id))
    .groupBy(operationItem.outcome);
  return Object.fromEntries(rows.map(({ outcome, items }) => [outcome ?? "left", items]));
}

/**
 * The items of `results` by their keys, one at a time: the planner knows nothing of a table that has just been filled,
 * and would read every item of the operation to find fifty of them.
 */
const byKey = (operationId: string, results: SQL) =>
  sql`(SELECT i.at, r.* FROM ${results}
    CROSS JOIN LATERAL (SELECT ctid AS at FROM ${operationItem} WHERE operation_id = ${operationId} AND seq = r.seq LIMIT 1) AS i) AS r`;

const isOpen = sql`CASE WHEN r.outcome = ANY(${sql.param([...RETRY_OUTCOMES])}::text[]) THEN ${operationItem.outcome} = 'released' ELSE ${operationItem.outcome} IS NULL END`;

export function settleItems(
  pool: Pool,
  lease: BulkLease,
  { results, again }: { results: readonly ItemResult[]; again: boolean },
): Promise<boolean> {
  return withWriteTransaction(
    pool,
    async (client) => {
      if (!(await holdsBulk(client, lease))) return false;
      const of = (pick: (result: ItemResult) => unknown) => sql.param(results.map(pick));
      const given = sql`unnest(${of((one) => one.seq)}::bigint[], ${of((one) => one.outcome)}::text[], ${of((one) => one.code)}::text[], ${of((one) => one.message)}::text[])
      AS r(seq, outcome, code, message)`;
      await queryOn(client).execute(
        sql`UPDATE ${operationItem} SET outcome = r.outcome, code = r.code, message = coalesce(r.message, ${operationItem.message}),
        acted_at = CASE WHEN r.outcome = 'released' THEN ${now} ELSE ${operationItem.actedAt} END,
        settled_at = CASE WHEN r.outcome <> 'released' THEN ${now} END
        FROM ${byKey(lease.id, given)} WHERE ${operationItem}.ctid = r.at AND ${isOpen}`,
      );
      return true;
    },
    { flush: !again },
  );
}

export function cancelItems(pool: Pool, lease: BulkLease, limit: number): Promise<number> {
  return withWriteTransaction(pool, async (client) => {
    if (!(await holdsBulk(client, lease))) return 0;
    const left = queryOn(client)
      .select({ seq: operationItem.seq })
      .from(operationItem)
      .where(and(eq(operationItem.operationId, lease.id), isNull(operationItem.outcome)))
      .limit(limit);
    const done = await queryOn(client)
      .update(operationItem)
      .set({ outcome: "cancelled", settledAt: now })
      .where(
        and(eq(operationItem.operationId, lease.id), isNull(operationItem.outcome), inArray(operationItem.seq, left)),
      );
    return done.rowCount ?? 0;
  });
}

/** At most `batch` items of operations that ended more than `keepDays` ago; returns how many went. */
export async function deleteOldItems(db: Pool, keepDays: number, batch: number): Promise<number> {
  const old = sql`SELECT i.at FROM ${operation} CROSS JOIN LATERAL
      (SELECT ctid AS at FROM ${operationItem} WHERE operation_id = ${operation.id} LIMIT ${batch}) AS i
    WHERE ${operation.endedAt} < ${now} - make_interval(days => ${keepDays}) LIMIT ${batch}`;
  const gone = await queryOn(db).execute(sql`DELETE FROM ${operationItem} WHERE ctid = ANY(ARRAY(${old}))`);
  return gone.rowCount ?? 0;
}

/** Writes the outcomes of acts in their transaction. Throws conflict if an item has an outcome already. */
export async function settleActs(
  client: PoolClient,
  acts: readonly { verb: VerbRequest; message: string }[],
): Promise<void> {
  const items = acts.flatMap(({ verb, message }) => (verb.item ? [{ ...verb.item, message }] : []));
  const operationId = acts[0]?.verb.operationId;
  if (items.length === 0 || operationId === undefined) return;
  const of = (pick: (item: (typeof items)[number]) => unknown) => sql.param(items.map(pick));
  const given = sql`unnest(${of(({ seq }) => seq)}::bigint[], ${of(({ outcome }) => outcome)}::text[], ${of(({ message }) => message)}::text[])
    AS r(seq, outcome, message)`;
  const done = await queryOn(client).execute(
    sql`UPDATE ${operationItem} SET outcome = r.outcome, message = r.message, acted_at = ${now},
        settled_at = CASE WHEN r.outcome = 'done' THEN ${now} END
      FROM ${byKey(operationId, given)} WHERE ${operationItem}.ctid = r.at AND ${operationItem.outcome} IS NULL`,
  );
  if (done.rowCount !== items.length)
    throw new AppError("conflict", "An item of the operation has its outcome already: nothing was changed.");
}
