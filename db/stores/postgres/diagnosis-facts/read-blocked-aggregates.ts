import { and, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { PoolClient } from "pg";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ALWAYS, all } from "#db/stores/shared/states/conditions.ts";
import { unsent } from "#db/stores/shared/states/state-predicates.ts";
import { type FailingHead, MOST_HEADS } from "#domain/diagnosis/facts/messages.ts";
import { castTo } from "../connection/dialect.ts";
import { queryOn } from "../connection/query-on.ts";
import { findAccess, withIndexesOnly } from "../plans/find-access.ts";
import { deliveryOrder, isSmall, READ_BUDGET, type Reading, readingOf } from "../plans/table-access.ts";
import { deliveryAs, isFailing, isLongest } from "../read/blocked-candidates.ts";
import { entriesOf, entryOrder, readGuarded } from "../read/read-entries.ts";
import { recordedOf } from "../read/recorded-waiting.ts";
import { comparisonType, instantText, textOf } from "../tables/column-values.ts";
import { aggregateKey, keyFromId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";

const ERROR_CHARACTERS = 300;

type Head = Omit<FailingHead, "aggregateId" | "waiting" | "waitingCapped"> & { rowAggregateId: string | null };

/**
 * Failed heads of aggregates, with the number of messages waiting behind each; null if only a scan could count them.
 * Of more than 200 heads, those that failed longest ago; most waiting messages first. Index: delivery_failing_idx for the
 * heads, the primary key for their rows; for waiting messages one on the aggregate id, or the one of waiting rows.
 */
export async function readBlockedAggregates(client: PoolClient, ref: OutboxRef): Promise<FailingHead[] | null> {
  const { aggregateId, aggregateType } = ref.mapping.columns;
  if (!ref.storeSide || !aggregateId) return null;
  const heads = await readHeads(client, ref, aggregateId);
  const ids = [...new Set(heads.flatMap(({ rowAggregateId }) => rowAggregateId ?? []))];
  const keys = heads.map(({ aggregate }) => aggregate);
  const { waits, isAll } =
    ref.mapping.lifecycle.kind === "log"
      ? { waits: await recordedOf(client, ref, { keys, without: [] }), isAll: true }
      : ids.length === 0
        ? NOBODY
        : await countUnsent(client, ref, aggregateId, ids);
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

/** Unsent messages of each aggregate, heads included; null if only a scan could count them. `isAll`: all entries were read. */
interface Unsent {
  waits: Map<string, number> | null;
  isAll: boolean;
}
const NOBODY: Unsent = { waits: new Map(), isAll: true };

async function countUnsent(
  client: PoolClient,
  ref: OutboxRef,
  aggregateId: MappedColumn,
  ids: readonly string[],
): Promise<Unsent> {
  const outbox = outboxTable(ref.mapping);
  const array = sql`${sql.param(ids)}::text[]${castTo(`${comparisonType(aggregateId.type)}[]`)}`;
  const isWanted = sql`${outbox.column(aggregateId)} = ANY (${array})`;
  const wanted = all(unsent(outbox), isWanted);
  const reading = await readingOfAggregates(client, ref, [wanted, isWanted]);
  if (reading.kind === "none") return { waits: null, isAll: false };
  const query = queryOn(client)
    .select({
      aggregate: sql<string | null>`CASE WHEN ${wanted} THEN ${aggregateKey(outbox)} END`,
      messages: sql<number>`count(*)::int`,
    })
    .from(entriesOf(client, ref, reading, entryOrder(reading, deliveryOrder(ref))) as PgTable)
    .where(reading.kind === "whole" ? wanted : ALWAYS)
    .groupBy(sql`1`);
  const rows = await readGuarded(client, reading, () => query);
  const looked = rows.reduce((sum, row) => sum + row.messages, 0);
  const counts = rows.flatMap(({ aggregate, messages }): [string, number][] =>
    aggregate === null ? [] : [[aggregate, messages]],
  );
  return { waits: new Map(counts), isAll: reading.kind === "whole" || looked < READ_BUDGET };
}

/** Reads by aggregate if an index allows it, otherwise among the waiting rows. */
async function readingOfAggregates(client: PoolClient, ref: OutboxRef, bases: readonly SQL[]): Promise<Reading> {
  if (await isSmall(client, ref)) return { kind: "whole" };
  const access = await findAccess(client, ref, { bases, order: deliveryOrder(ref) });
  return access ? { kind: "index", access } : readingOf(client, ref, "waiting");
}
