import { type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import {
  NOTHING_RECORDED,
  RECORDS_READ,
  type RecordedCount,
  type RecordedOnly,
} from "#db/stores/shared/read/recorded-counts.ts";
import { queryOn } from "../connection/query-on.ts";
import { delivery } from "../own-schema/schema.ts";
import { keyFromId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { claimed } from "../tables/states/message-state.ts";

/**
 * Messages that our records keep of a table whose progress is kept in the log, and whose rows are gone, as where
 * producers delete them at once. Indexes: delivery_dead_idx, delivery_group_idx, delivery_due_idx; the key of the
 * table, once a record.
 */
export async function readRecordedOnly(client: PoolClient, ref: OutboxRef): Promise<RecordedOnly> {
  if (ref.mapping.lifecycle.kind !== "log" || !ref.storeSide) return NOTHING_RECORDED;
  const outbox = outboxTable(ref.mapping);
  const row = sql`(SELECT 1 FROM ${outbox.table} ${outbox.rows} WHERE ${keyFromId(outbox, sql`k.id`)} LIMIT 1)`;
  const count = async (which: SQL): Promise<RecordedCount> => {
    const db = queryOn(client);
    const records = db
      .with(claimed(ref))
      .select({ id: sql`${delivery.messageId}`.as("id") })
      .from(delivery)
      .where(
        sql`${delivery.outbox} = ${ref.name} AND ${which} AND ${delivery.messageId} NOT IN (SELECT id FROM claimed WHERE live)`,
      )
      .limit(RECORDS_READ + 1)
      .as("k");
    const [found] = await db
      .select({ read: sql<number>`count(*)::int`, gone: sql<number>`(count(*) FILTER (WHERE ${row} IS NULL))::int` })
      .from(records);
    return { value: found?.gone ?? 0, capped: (found?.read ?? 0) > RECORDS_READ };
  };
  const { deadAt, attempts, fingerprint } = delivery;
  return {
    dead: await count(sql`${deadAt} IS NOT NULL`),
    failed: await count(sql`${deadAt} IS NULL AND ${attempts} > 0 AND ${fingerprint} IS NOT NULL`),
    pending: await count(sql`${deadAt} IS NULL AND ${attempts} = 0`),
  };
}
