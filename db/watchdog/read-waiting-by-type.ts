import type { PoolClient } from "pg";
import type { StoreFacts } from "#domain/diagnosis/facts.ts";
import type { OutboxRef } from "../outbox/outbox-ref.ts";
import { columnSql, orderColumn, quoteTable, unsentPredicate } from "../outbox/postgres/mapping-sql.ts";
import { wouldScan } from "../outbox/postgres/query-cost.ts";

const LOOKED_AT = 10_000;

/** What waits of each event type, among the first 10,000 in order. Uses the partial index over unpublished rows. */
export async function readWaitingByType(client: PoolClient, ref: OutboxRef): Promise<StoreFacts["waitingByType"]> {
  const { eventType } = ref.mapping.columns;
  if (!eventType) return null;
  const sql = `SELECT "eventType", count(*)::int AS messages FROM (
       SELECT ${columnSql(eventType, "t")}::text AS "eventType" FROM ${quoteTable(ref.mapping.table)} t
       WHERE ${unsentPredicate(ref.mapping, "t")} ORDER BY ${columnSql(orderColumn(ref.mapping), "t")} LIMIT ${LOOKED_AT}) first
     WHERE "eventType" IS NOT NULL GROUP BY 1 ORDER BY 2 DESC LIMIT 200`;
  if (await wouldScan(client, sql, [])) return null;
  const { rows } = await client.query<{ eventType: string; messages: number }>(sql);
  return rows;
}
