import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { StoreFacts } from "#domain/diagnosis/facts.ts";
import { entriesOf, entryOrder, readGuarded } from "../read/read-entries.ts";
import { columnSql, orderColumn, unsentPredicate } from "../tables/mapping-sql.ts";
import { requirePart } from "./require-reading.ts";

const LOOKED_AT = 10_000;

/** What waits of each event type, among the first 10,000 in order. Uses the partial index over unpublished rows. */
export async function readWaitingByType(client: PoolClient, ref: OutboxRef): Promise<StoreFacts["waitingByType"]> {
  const { eventType } = ref.mapping.columns;
  if (!eventType) return null;
  const reading = await requirePart(client, ref, "waiting");
  const order = columnSql(orderColumn(ref.mapping), "t");
  const sql = `SELECT "eventType", count(*)::int AS messages FROM (
       SELECT ${columnSql(eventType, "t")}::text AS "eventType" FROM ${entriesOf(ref, reading, entryOrder(reading, order))} t
       WHERE ${unsentPredicate(ref.mapping, "t")} ORDER BY ${order} LIMIT ${LOOKED_AT}) first
     WHERE "eventType" IS NOT NULL GROUP BY 1 ORDER BY 2 DESC LIMIT 200`;
  const read = async () => (await client.query<{ eventType: string; messages: number }>(sql)).rows;
  return readGuarded(client, reading, read);
}
