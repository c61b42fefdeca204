import { type SQL, sql } from "drizzle-orm";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import {
  NOTHING_RECORDED,
  RECORDS_READ,
  type RecordedCount,
  type RecordedOnly,
} from "#db/stores/shared/read/recorded-counts.ts";
import type { Session } from "../connection/session.ts";
import { keyFromId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { claimed } from "../tables/states/message-state.ts";

/**
 * Messages that our records keep of a table whose progress is kept in the log, and whose rows are gone, as where
 * producers delete them at once. Indexes: those of delivery that begin with the outbox; the key of the table, once a
 * record.
 */
export async function readRecordedOnly(session: Session, ref: OutboxRef): Promise<RecordedOnly> {
  if (ref.mapping.lifecycle.kind !== "log" || !ref.storeSide) return NOTHING_RECORDED;
  const outbox = outboxTable(ref.mapping);
  const { delivery } = session.own;
  const isGone = sql`(SELECT COUNT(*) FROM ${outbox.table} ${outbox.rows} WHERE ${keyFromId(outbox, sql`k.id`)}) = 0`;
  const count = async (which: SQL): Promise<RecordedCount> => {
    const records = sql`(SELECT ${delivery.messageId} AS id FROM ${delivery} WHERE ${delivery.outbox} = ${ref.name} AND ${which}
      AND ${delivery.messageId} NOT IN (SELECT id FROM claimed WHERE live) LIMIT ${sql.raw(String(RECORDS_READ + 1))}) k`;
    const [row] = await session.rows(
      session.db
        .with(claimed(session.own, ref))
        .select({ read: sql`COUNT(*)`.as("n0"), gone: sql`COUNT(CASE WHEN ${isGone} THEN 1 END)`.as("n1") })
        .from(records),
    );
    const [read = 0, gone = 0] = (row ?? []).map(Number);
    return { value: gone, capped: read > RECORDS_READ };
  };
  const { deadAt, attempts } = delivery;
  return {
    dead: await count(sql`${deadAt} IS NOT NULL`),
    failed: await count(sql`${deadAt} IS NULL AND ${attempts} > 0`),
    pending: await count(sql`${deadAt} IS NULL AND ${attempts} = 0`),
  };
}
