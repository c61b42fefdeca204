import { type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { inTabs, NOTHING_RECORDED, type RecordedOnly } from "#db/stores/shared/recorded-counts.ts";
import { queryOn } from "../connection/query-on.ts";
import { delivery } from "../own-schema/schema.ts";
import { keyFromId } from "../tables/message-key.ts";
import { claimed } from "../tables/message-state.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { COUNT_CAP } from "./count-cap.ts";

/**
 * Messages that our records keep of a table whose progress is kept in the log, and whose rows are gone, as where producers
 * delete them at once. Of the first COUNT_CAP records. Indexes: primary key of delivery; that of the table, once a record.
 */
export async function readRecordedOnly(client: PoolClient, ref: OutboxRef): Promise<RecordedOnly> {
  if (ref.mapping.lifecycle.kind !== "log" || !ref.storeSide) return NOTHING_RECORDED;
  const outbox = outboxTable(ref.mapping);
  const row = (id: SQL) => sql`(SELECT 1 FROM ${outbox.table} ${outbox.rows} WHERE ${keyFromId(outbox, id)} LIMIT 1)`;
  const db = queryOn(client);
  const records = db
    .with(claimed(ref))
    .select({
      id: sql`${delivery.messageId}`.as("id"),
      dead: sql`${delivery.deadAt} IS NOT NULL`.as("dead"),
      failed: sql`${delivery.attempts} > 0`.as("failed"),
    })
    .from(delivery)
    .where(sql`${delivery.outbox} = ${ref.name} AND ${delivery.messageId} NOT IN (SELECT id FROM claimed WHERE live)`)
    .limit(COUNT_CAP + 1)
    .as("k");
  const [found] = await db
    .select({
      read: sql<number>`count(*)::int`,
      dead: sql<number>`(count(*) FILTER (WHERE dead AND ${row(sql`k.id`)} IS NULL))::int`,
      failed: sql<number>`(count(*) FILTER (WHERE NOT dead AND failed AND ${row(sql`k.id`)} IS NULL))::int`,
      pending: sql<number>`(count(*) FILTER (WHERE NOT dead AND NOT failed AND ${row(sql`k.id`)} IS NULL))::int`,
    })
    .from(records);
  return found ? inTabs(found, COUNT_CAP) : NOTHING_RECORDED;
}
