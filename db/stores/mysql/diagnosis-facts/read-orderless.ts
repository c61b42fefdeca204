import { sql } from "drizzle-orm";
import type { MySqlTable } from "drizzle-orm/mysql-core";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { all, isTrue } from "#db/stores/shared/states/conditions.ts";
import { unsent } from "#db/stores/shared/states/state-predicates.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import type { Orderless } from "#domain/diagnosis/facts/messages.ts";
import type { Session } from "../connection/session.ts";
import { partBases, READ_BUDGET } from "../plans/table-access.ts";
import { entriesOf } from "../read/read-entries.ts";
import { asNumber, instantOf, instantText } from "../tables/column-values.ts";
import { both, type Piece } from "../tables/index-pieces.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { requireReading } from "./require-reading.ts";

/**
 * Unsent messages without a value in the column of the order, which our relay never finds. Null if that column always
 * has one. Index: the recommended one of waiting messages. Throws ScanRefused.
 */
export async function readOrderless(session: Session, ref: OutboxRef): Promise<Orderless | null> {
  const { mapping } = ref;
  const column = orderColumn(mapping);
  if (!column.nullable) return null;
  const { db } = session;
  const outbox = outboxTable(mapping);
  const { createdAt } = mapping.columns;
  const isNull = sql`${outbox.column(column)} IS NULL`;
  const orderless: Piece = { where: isNull, columns: [{ name: column.name, one: true }] };
  const waiting = partBases(ref, "waiting");
  const reading = await requireReading(session, ref, [...waiting.map((pieces) => both(pieces, orderless)), ...waiting]);
  const at = createdAt ? sql`${instantOf(outbox, createdAt)}` : sql`CAST(NULL AS DATETIME(6))`;
  const looked = db
    .select({ at: at.as("at"), orderless: isTrue(all(unsent(outbox), isNull)).as("orderless") })
    .from(entriesOf(ref, reading) as unknown as MySqlTable)
    .as("looked");
  const [found] = await db
    .select({
      looked: asNumber(sql`COUNT(*)`),
      messages: asNumber(sql`COUNT(CASE WHEN orderless THEN 1 END)`),
      oldestAt: instantText(sql`MIN(CASE WHEN orderless THEN at END)`),
    })
    .from(looked);
  const { looked: entries, ...row } = found ?? { looked: 0, messages: 0, oldestAt: null };
  return { column: column.name, ...row, capped: reading.kind !== "whole" && entries >= READ_BUDGET };
}
