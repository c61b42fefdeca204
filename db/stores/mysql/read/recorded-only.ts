import { type SQL, sql } from "drizzle-orm";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { inTabs, NOTHING_RECORDED, type RecordedOnly } from "#db/stores/shared/recorded-counts.ts";
import type { Session } from "../connection/session.ts";
import { keyFromId } from "../tables/message-key.ts";
import { claimed } from "../tables/message-state.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { COUNT_CAP } from "./count-cap.ts";

/**
 * Messages that our records keep of a table whose progress is kept in the log, and whose rows are gone, as where producers
 * delete them at once. Of the first COUNT_CAP records. Indexes: primary key of delivery; that of the table, once a record.
 */
export async function readRecordedOnly(session: Session, ref: OutboxRef): Promise<RecordedOnly> {
  if (ref.mapping.lifecycle.kind !== "log" || !ref.storeSide) return NOTHING_RECORDED;
  const outbox = outboxTable(ref.mapping);
  const { delivery } = session.own;
  const isGone = sql`(SELECT COUNT(*) FROM ${outbox.table} ${outbox.rows} WHERE ${keyFromId(outbox, sql`k.id`)}) = 0`;
  const counted = (which: SQL) => sql`COUNT(CASE WHEN ${which} AND ${isGone} THEN 1 END)`;
  const claims = claimed(session.own, ref);
  const [row] = await session.rows(
    session.db
      .with(claims)
      .select({
        read: sql`COUNT(*)`.as("n0"),
        dead: counted(sql`k.dead`).as("n1"),
        failed: counted(sql`NOT k.dead AND k.failed`).as("n2"),
        pending: counted(sql`NOT k.dead AND NOT k.failed`).as("n3"),
      })
      .from(
        sql`(SELECT ${delivery.messageId} AS id, ${delivery.deadAt} IS NOT NULL AS dead, ${delivery.attempts} > 0 AS failed FROM ${delivery}
          WHERE ${delivery.outbox} = ${ref.name} AND ${delivery.messageId} NOT IN (SELECT id FROM claimed WHERE live)
          LIMIT ${sql.raw(String(COUNT_CAP + 1))}) k`,
      ),
  );
  const [read = 0, dead = 0, failed = 0, pending = 0] = (row ?? []).map(Number);
  return inTabs({ read, dead, failed, pending }, COUNT_CAP);
}
