import type { Pool } from "pg";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { withReadTransaction } from "../connection/transaction.ts";
import { wouldScan } from "../plans/query-cost.ts";
import { aggregateKeyExpression, columnSql, comparisonType, quoteTable } from "../tables/mapping-sql.ts";
import { fitsType } from "../tables/message-filter.ts";

const TIMEOUT_MS = 1000;

/**
 * Whether any message of the event type or aggregate is in the table, whatever became of it. Null where finding out would
 * scan a large table. Indexes: the team's own, as for filters of a list.
 */
export async function hasMessagesOf(
  pool: Pool,
  mapping: OutboxMapping,
  subject: { eventType: string } | { aggregateKey: string },
): Promise<boolean | null> {
  const wanted =
    "eventType" in subject ? ofType(mapping, subject.eventType) : ofAggregate(mapping, subject.aggregateKey);
  if (wanted === null) return false;
  const sql = `SELECT 1 FROM ${quoteTable(mapping.table)} t WHERE ${wanted.where} LIMIT 1`;
  return withReadTransaction(pool, TIMEOUT_MS, async (client) => {
    if (await wouldScan(client, sql, wanted.values)) return null;
    return ((await client.query(sql, wanted.values)).rowCount ?? 0) > 0;
  });
}

type Wanted = { where: string; values: unknown[] } | null;

function ofType({ columns: { eventType } }: OutboxMapping, type: string): Wanted {
  if (!eventType || !fitsType(type, eventType.type)) return null;
  return { where: `${columnSql(eventType, "t")}::text = $1`, values: [type] };
}

/** By the id, which an index may have: what comes behind any of the slashes, since a type may have one too. */
function ofAggregate(mapping: OutboxMapping, key: string): Wanted {
  const { aggregateId, aggregateType } = mapping.columns;
  if (!aggregateId) return null;
  const parts = key.split("/");
  const ids = aggregateType ? parts.slice(1).map((_, index) => parts.slice(index + 1).join("/")) : [key];
  const fitting = ids.filter((id) => fitsType(id, aggregateId.type));
  if (fitting.length === 0) return null;
  const byId = `${columnSql(aggregateId, "t")} = ANY ($2::text[]::${comparisonType(aggregateId.type)}[])`;
  return { where: `${byId} AND ${aggregateKeyExpression(mapping, "t")} = $1`, values: [key, fitting] };
}
