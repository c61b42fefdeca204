import { and, type SQL, sql } from "drizzle-orm";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { type FailingHead, MOST_HEADS } from "#domain/diagnosis/facts/messages.ts";
import type { Session } from "../connection/session.ts";
import { deliveryAs, isFailing, isLongest } from "../read/blocked-candidates.ts";
import { countUnsent } from "../read/count-unsent.ts";
import { recordedOf } from "../read/recorded-waiting.ts";
import { instantText, shortened, textOf } from "../tables/column-values.ts";
import { keyFromId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";

const ERROR_CHARACTERS = 300;

type Head = Omit<FailingHead, "aggregateId" | "waiting" | "waitingCapped"> & { rowAggregateId: string | null };

/**
 * Failed heads of aggregates, with the number of messages waiting behind each; null if only a scan could count them. Of
 * more than 200 heads, those that failed longest ago; most waiting messages first. Index: delivery_failing_idx for the
 * heads, the primary key for their rows; for waiting messages one on the aggregate id, or the one of waiting rows.
 */
export async function readBlockedAggregates(session: Session, ref: OutboxRef): Promise<FailingHead[] | null> {
  const { aggregateId, aggregateType } = ref.mapping.columns;
  if (!ref.storeSide || !aggregateId) return null;
  const heads = await readHeads(session, ref, aggregateId);
  const ids = [...new Set(heads.flatMap(({ rowAggregateId }) => rowAggregateId ?? []))];
  const keys = heads.map(({ aggregate }) => aggregate);
  const without = heads.map(({ headId }) => headId);
  const { waits, isAll } =
    ref.mapping.lifecycle.kind === "log"
      ? { waits: await recordedOf(session, ref, { keys, without }), isAll: true }
      : await countUnsent(session, ref, { aggregateId, ids, without });
  const withCounts = heads.map(({ rowAggregateId: _id, ...head }) => {
    const found = waits?.get(head.aggregate) ?? 0;
    return {
      ...head,
      aggregateId: aggregateType ? head.aggregate.slice(head.aggregate.indexOf("/") + 1) : head.aggregate,
      // If not all entries were read, "at least 0" is unknown.
      waiting: found > 0 || isAll ? found : null,
      waitingCapped: !isAll && found > 0,
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
