import type { PoolClient } from "pg";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { FailingHead } from "#domain/diagnosis/facts.ts";
import { findAccess, withIndexesOnly } from "../plans/find-access.ts";
import { isSmall, READ_BUDGET, type Reading, readingOf } from "../plans/table-access.ts";
import { entriesOf, entryOrder, readGuarded } from "../read/read-entries.ts";
import { keyFromId } from "../tables/key-from-id.ts";
import {
  aggregateKeyExpression,
  columnSql,
  comparisonType,
  instantText,
  orderColumn,
  quoteTable,
  unsentPredicate,
} from "../tables/mapping-sql.ts";

/** Heads looked at, longest failed first. */
const MOST_HEADS = 200;

type Head = Omit<FailingHead, "aggregateId" | "waiting" | "waitingCapped"> & { rowAggregateId: string | null };

/**
 * Failed messages at the head of their aggregates, with how many wait behind each, null where only a scan could tell.
 * Uses delivery_due_idx for the heads and the primary key for their rows; for those who wait an index over the
 * aggregate's id, else the one of what waits.
 */
export async function readBlockedAggregates(client: PoolClient, ref: OutboxRef): Promise<FailingHead[] | null> {
  const { aggregateId, aggregateType } = ref.mapping.columns;
  if (!ref.storeSide || !aggregateId) return null;
  const heads = await readHeads(client, ref, aggregateId);
  const ids = [...new Set(heads.flatMap(({ rowAggregateId }) => rowAggregateId ?? []))];
  const { unsent, all } = ids.length === 0 ? NOBODY : await countUnsent(client, ref, aggregateId, ids);
  const withCounts = heads.map(({ rowAggregateId: _id, ...head }) => {
    const found = unsent?.get(head.aggregate) ?? 0;
    return {
      ...head,
      aggregateId: aggregateType ? head.aggregate.slice(head.aggregate.indexOf("/") + 1) : head.aggregate,
      // The head itself is among them. Of entries that are not all, "at least none" is not known.
      waiting: found > 1 || all ? Math.max(0, found - 1) : null,
      waitingCapped: !all && found > 1,
    };
  });
  return withCounts.toSorted((one, other) => (other.waiting ?? -1) - (one.waiting ?? -1));
}

async function readHeads(client: PoolClient, ref: OutboxRef, aggregateId: MappedColumn): Promise<Head[]> {
  const sql = `WITH head AS MATERIALIZED (
       SELECT DISTINCT ON (aggregate_key) aggregate_key, message_id, event_type, attempts, created_at, first_failed_at, next_attempt_at, last_error_code, last_error
       FROM outbox_console.delivery
       WHERE outbox = $1 AND dead_at IS NULL AND attempts > 0 AND aggregate_key IS NOT NULL
       ORDER BY aggregate_key, first_failed_at LIMIT ${MOST_HEADS})
     SELECT head.aggregate_key AS aggregate, head.message_id AS "headId", head.event_type AS "eventType", head.attempts,
       ${instantText("head.created_at")} AS "headCreatedAt", ${instantText("head.first_failed_at")} AS "firstFailedAt", ${instantText("head.next_attempt_at")} AS "nextAttemptAt",
       head.last_error_code AS "errorCode", left(head.last_error, 300) AS error,
       (SELECT ${columnSql(aggregateId, "h")}::text FROM ${quoteTable(ref.mapping.table)} h WHERE ${keyFromId(ref.mapping, "head.message_id", "h")}) AS "rowAggregateId"
     FROM head ORDER BY head.first_failed_at`;
  const read = async () => (await client.query<Head>(sql, [ref.name])).rows;
  return (await isSmall(client, ref)) ? read() : withIndexesOnly(client, read);
}

/** Unsent messages of each aggregate, heads included; null where only a scan could tell. `all`: none was left out. */
interface Unsent {
  unsent: Map<string, number> | null;
  all: boolean;
}
const NOBODY: Unsent = { unsent: new Map(), all: true };

async function countUnsent(
  client: PoolClient,
  ref: OutboxRef,
  aggregateId: MappedColumn,
  ids: readonly string[],
): Promise<Unsent> {
  const key = aggregateKeyExpression(ref.mapping, "t");
  const isWanted = `${columnSql(aggregateId, "t")} = ANY ($1::text[]::${comparisonType(aggregateId.type)}[])`;
  const unsent = unsentPredicate(ref.mapping, "t");
  const reading = await readingOfAggregates(client, ref, { isWanted, unsent, ids });
  if (reading.kind === "none") return { unsent: null, all: false };
  const entries = entriesOf(ref, reading, entryOrder(reading, columnSql(orderColumn(ref.mapping), "t")));
  const sql = `SELECT CASE WHEN ${unsent} AND ${isWanted} THEN ${key} END AS aggregate, count(*)::int AS messages
     FROM ${entries} t ${reading.kind === "whole" ? `WHERE ${unsent} AND ${isWanted}` : ""} GROUP BY 1`;
  type Row = { aggregate: string | null; messages: number };
  const rows = await readGuarded(client, reading, async () => (await client.query<Row>(sql, [ids])).rows);
  const looked = rows.reduce((sum, row) => sum + row.messages, 0);
  const counts = rows.flatMap(({ aggregate, messages }): [string, number][] =>
    aggregate === null ? [] : [[aggregate, messages]],
  );
  return { unsent: new Map(counts), all: reading.kind === "whole" || looked < READ_BUDGET };
}

/** By aggregate where an index leads there, else among what waits. */
async function readingOfAggregates(
  client: PoolClient,
  ref: OutboxRef,
  { isWanted, unsent, ids }: { isWanted: string; unsent: string; ids: readonly string[] },
): Promise<Reading> {
  if (await isSmall(client, ref)) return { kind: "whole" };
  const order = columnSql(orderColumn(ref.mapping), "t");
  const bases = [`${unsent} AND ${isWanted}`, isWanted];
  const access = await findAccess(client, ref, { bases, order, values: [ids] });
  return access ? { kind: "index", access } : readingOf(client, ref, "waiting");
}
