import { and, type SQL, sql } from "drizzle-orm";
import type { MySqlTable } from "drizzle-orm/mysql-core";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ALWAYS, all } from "#db/stores/shared/states/conditions.ts";
import { unsent } from "#db/stores/shared/states/state-predicates.ts";
import { type FailingHead, MOST_HEADS } from "#domain/diagnosis/facts/messages.ts";
import type { Session } from "../connection/session.ts";
import { deliveryOrder, READ_BUDGET, type Reading, readingOf } from "../plans/table-access.ts";
import { deliveryAs, isFailing, isLongest } from "../read/blocked-candidates.ts";
import { entriesOf, entryOrder } from "../read/read-entries.ts";
import { recordedOf } from "../read/recorded-waiting.ts";
import { asNumber, comparable, exact, instantText, shortened, textOf } from "../tables/column-values.ts";
import { aggregateKey, keyFromId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { listOf } from "../tables/row-image.ts";
import { readingBy } from "./require-reading.ts";

const ERROR_CHARACTERS = 300;

type Head = Omit<FailingHead, "aggregateId" | "waiting" | "waitingCapped"> & { rowAggregateId: string | null };

/**
 * Failed heads of aggregates, with the number of messages waiting behind each; null if only a scan could count them.
 * Of more than 200 heads, those that failed longest ago; most waiting messages first. Index: delivery_failing_idx for the
 * heads, the primary key for their rows; for waiting messages one on the aggregate id, or the one of waiting rows.
 */
export async function readBlockedAggregates(session: Session, ref: OutboxRef): Promise<FailingHead[] | null> {
  const { aggregateId, aggregateType } = ref.mapping.columns;
  if (!ref.storeSide || !aggregateId) return null;
  const heads = await readHeads(session, ref, aggregateId);
  const ids = [...new Set(heads.flatMap(({ rowAggregateId }) => rowAggregateId ?? []))];
  const keys = heads.map(({ aggregate }) => aggregate);
  const { waits, isAll } =
    ref.mapping.lifecycle.kind === "log"
      ? { waits: await recordedOf(session, ref, { keys, without: [] }), isAll: true }
      : ids.length === 0
        ? NOBODY
        : await countUnsent(session, ref, aggregateId, ids);
  const withCounts = heads.map(({ rowAggregateId: _id, ...head }) => {
    const found = waits?.get(head.aggregate) ?? 0;
    return {
      ...head,
      aggregateId: aggregateType ? head.aggregate.slice(head.aggregate.indexOf("/") + 1) : head.aggregate,
      // The count includes the head. If not all entries were read, "at least 0" is unknown.
      waiting: found > 1 || isAll ? Math.max(0, found - 1) : null,
      waitingCapped: !isAll && found > 1,
    };
  });
  return withCounts.toSorted((one, other) => (other.waiting ?? -1) - (one.waiting ?? -1));
}

/** The longest failed message of each aggregate, the longest failed first. */
async function readHeads(session: Session, ref: OutboxRef, aggregateId: MappedColumn): Promise<Head[]> {
  const delivery = deliveryAs(session, "f");
  const row = outboxTable(ref.mapping, "h");
  const rowAggregateId = sql`(SELECT ${textOf(row, aggregateId)} FROM ${row.table} ${row.rows} WHERE ${keyFromId(row, sql`${delivery.messageId}`)})`;
  const at = (value: unknown) => instantText(sql`${value}`) as SQL<string>;
  return session.db
    .select({
      aggregate: sql<string>`${delivery.aggregateKey}`,
      headId: delivery.messageId,
      eventType: delivery.eventType,
      attempts: delivery.attempts,
      headCreatedAt: at(delivery.createdAt),
      firstFailedAt: at(delivery.firstFailedAt),
      nextAttemptAt: instantText(sql`${delivery.nextAttemptAt}`),
      errorCode: delivery.lastErrorCode,
      error: shortened(sql`${delivery.lastError}`, ERROR_CHARACTERS),
      rowAggregateId: sql<string | null>`${rowAggregateId}`,
    })
    .from(delivery)
    .where(and(isFailing(delivery, ref.name), isLongest(session, delivery, ref.name)))
    .orderBy(delivery.firstFailedAt, delivery.messageId)
    .limit(MOST_HEADS);
}

/** Unsent messages of each aggregate, heads included; null if only a scan could count them. `isAll`: all entries were read. */
interface Unsent {
  waits: Map<string, number> | null;
  isAll: boolean;
}
const NOBODY: Unsent = { waits: new Map(), isAll: true };

/** Aggregates that differ only for us, and not under the column's collation, are counted each by its own key. */
async function countUnsent(
  session: Session,
  ref: OutboxRef,
  aggregateId: MappedColumn,
  ids: readonly string[],
): Promise<Unsent> {
  const outbox = outboxTable(ref.mapping);
  const isWanted = sql`${outbox.column(aggregateId)} IN (${listOf(ids.map((id) => comparable(aggregateId, id)))})`;
  const wanted = all(unsent(outbox), isWanted);
  const reading = await readingOfAggregates(session, ref, { where: isWanted, column: aggregateId.name });
  if (reading.kind === "none") return { waits: null, isAll: false };
  const rows = await session.db
    .select({
      aggregate: sql<string | null>`CASE WHEN ${wanted} THEN ${exact(aggregateKey(outbox))} END`,
      messages: asNumber(sql`COUNT(*)`),
    })
    .from(entriesOf(ref, reading, { order: entryOrder(reading, deliveryOrder(ref)) }) as unknown as MySqlTable)
    .where(reading.kind === "whole" ? wanted : ALWAYS)
    .groupBy(sql`1`);
  const looked = rows.reduce((sum, row) => sum + row.messages, 0);
  const counts = rows.flatMap(({ aggregate, messages }): [string, number][] =>
    aggregate === null ? [] : [[aggregate, messages]],
  );
  return { waits: new Map(counts), isAll: reading.kind === "whole" || looked < READ_BUDGET };
}

/** Reads by aggregate if an index allows it, otherwise among the waiting rows. */
async function readingOfAggregates(
  session: Session,
  ref: OutboxRef,
  { where, column }: { where: SQL; column: string },
): Promise<Reading> {
  const reading = await readingBy(session, ref, [[{ where, columns: [{ name: column, one: false }] }]]);
  return reading.kind === "none" ? readingOf(session, ref, "waiting") : reading;
}
