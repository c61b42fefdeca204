import { and, type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { type FailingHead, MOST_HEADS } from "#domain/diagnosis/facts/messages.ts";
import { queryOn } from "../connection/query-on.ts";
import { withIndexesOnly } from "../plans/find-access.ts";
import { isSmall } from "../plans/table-access.ts";
import { deliveryAs, isFailing, isLongest } from "../read/blocked-candidates.ts";
import { countUnsent } from "../read/count-unsent.ts";
import { recordedOf } from "../read/recorded-waiting.ts";
import { instantText, textOf } from "../tables/column-values.ts";
import { keyFromId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";

const ERROR_CHARACTERS = 300;

type Head = Omit<FailingHead, "aggregateId" | "waiting" | "waitingCapped"> & { rowAggregateId: string | null };

/**
 * Failed heads of aggregates, with the number of messages waiting behind each; null if only a scan could count them. Of
 * more than 200 heads, those that failed longest ago; most waiting messages first. Index: delivery_failing_idx for the
 * heads, the primary key for their rows; for waiting messages one on the aggregate id, or the one of waiting rows.
 */
export async function readBlockedAggregates(client: PoolClient, ref: OutboxRef): Promise<FailingHead[] | null> {
  const { aggregateId, aggregateType } = ref.mapping.columns;
  if (!ref.storeSide || !aggregateId) return null;
  const heads = await readHeads(client, ref, aggregateId);
  const ids = [...new Set(heads.flatMap(({ rowAggregateId }) => rowAggregateId ?? []))];
  const keys = heads.map(({ aggregate }) => aggregate);
  const without = heads.map(({ headId }) => headId);
  const { waits, isAll } =
    ref.mapping.lifecycle.kind === "log"
      ? { waits: await recordedOf(client, ref, { keys, without }), isAll: true }
      : await countUnsent(client, ref, { aggregateId, ids, without });
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

async function readHeads(client: PoolClient, ref: OutboxRef, aggregateId: MappedColumn): Promise<Head[]> {
  const db = queryOn(client);
  const head = headsOf(client, ref.name);
  const row = outboxTable(ref.mapping, "h");
  const rowAggregateId = db
    .select({ id: textOf(row, aggregateId) })
    .from(row.rows)
    .where(keyFromId(row, sql`head.message_id`));
  const at = (value: SQL) => instantText(value) as SQL<string>;
  const query = db
    .with(head)
    .select({
      aggregate: sql<string>`aggregate_key`,
      headId: head.messageId,
      eventType: head.eventType,
      attempts: head.attempts,
      headCreatedAt: at(sql`created_at`),
      firstFailedAt: at(sql`first_failed_at`),
      nextAttemptAt: instantText(sql`next_attempt_at`),
      errorCode: head.lastErrorCode,
      error: sql<string | null>`left(last_error, ${ERROR_CHARACTERS})`,
      rowAggregateId: sql<string | null>`${rowAggregateId}`,
    })
    .from(head)
    .orderBy(sql`first_failed_at`);
  return (await isSmall(client, ref)) ? query : withIndexesOnly(client, () => query);
}

/** `head`: the longest failed message of each aggregate, the longest failed first. */
function headsOf(client: PoolClient, outbox: string) {
  const db = queryOn(client);
  const f = deliveryAs("f");
  const { aggregateKey: key, messageId, eventType, attempts, createdAt } = f;
  const { firstFailedAt, nextAttemptAt, lastErrorCode, lastError } = f;
  return db.$with("head").as(
    db
      .select({
        ...{ key, messageId, eventType, attempts, createdAt, firstFailedAt, nextAttemptAt, lastErrorCode, lastError },
      })
      .from(f)
      .where(and(isFailing(f, outbox), isLongest(client, f, outbox)))
      .orderBy(firstFailedAt)
      .limit(MOST_HEADS),
  );
}
