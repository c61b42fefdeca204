import type { PoolClient } from "pg";
import type { MessageRow } from "../message-row.ts";
import type { OutboxRef } from "../outbox-ref.ts";
import { columnSql, comparisonType, encodeInstant, publishedPredicate, quoteTable } from "./mapping-sql.ts";

/** Later messages of the same aggregate that are published; counted up to 1,000. */
export async function countLaterPublished(client: PoolClient, ref: OutboxRef, row: MessageRow): Promise<number> {
  const { mapping } = ref;
  const { aggregateId, createdAt } = mapping.columns;
  if (!aggregateId || row.aggregateId === null || !createdAt || row.createdAt === null) return 0;
  const result = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT 1 FROM ${quoteTable(mapping.table)} t
       WHERE ${columnSql(aggregateId, "t")} = $1::text::${comparisonType(aggregateId.type)} AND ${publishedPredicate(mapping, "t")}
         AND ${columnSql(createdAt, "t")} > ${encodeInstant(createdAt, "$2::text::timestamptz")} LIMIT 1000) later`,
    [row.aggregateId, row.createdAt],
  );
  return result.rows[0]?.count ?? 0;
}
