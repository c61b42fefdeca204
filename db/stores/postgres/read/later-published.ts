import type { PoolClient } from "pg";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { wouldScan } from "../plans/query-cost.ts";
import { columnSql, comparisonType, encodeInstant, publishedPredicate, quoteTable } from "../tables/mapping-sql.ts";

/** Later messages of the same aggregate that are published; counted up to 1,000. Null where counting would scan. */
export async function countLaterPublished(client: PoolClient, ref: OutboxRef, row: MessageRow): Promise<number | null> {
  const { mapping } = ref;
  const { aggregateId, createdAt } = mapping.columns;
  if (!aggregateId || row.aggregateId === null || !createdAt || row.createdAt === null) return 0;
  const sql = `SELECT count(*)::int AS count FROM (SELECT 1 FROM ${quoteTable(mapping.table)} t
       WHERE ${columnSql(aggregateId, "t")} = $1::text::${comparisonType(aggregateId.type)} AND ${publishedPredicate(mapping, "t")}
         AND ${columnSql(createdAt, "t")} > ${encodeInstant(createdAt, "$2::text::timestamptz")} LIMIT 1000) later`;
  const values = [row.aggregateId, row.createdAt];
  if (await wouldScan(client, sql, values)) return null;
  const result = await client.query<{ count: number }>(sql, values);
  return result.rows[0]?.count ?? 0;
}
