import { type SQL, sql } from "drizzle-orm";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { all } from "#db/stores/shared/states/conditions.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import type { Session } from "../connection/session.ts";
import { isUnsigned, kindOf } from "../tables/column-kinds.ts";
import { exact, textOf } from "../tables/column-values.ts";
import { movedTables } from "../tables/message-columns.ts";
import { keysOf, messageId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { imageText } from "../tables/row-image.ts";
import { keyIs } from "./find-message.ts";

/**
 * Sorts ids in the order of first deliveries: by order column (without one, creation time), then id. Looks in the table
 * and among the dead letters, by key. Unknown ids come last, in their given order.
 */
export async function inOutboxOrder(session: Session, ref: OutboxRef, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const keys = keysOf(ref.mapping, ids);
  const arrays = ref.mapping.primaryKey.map((_, index) => keys.map((key) => key[index] ?? ""));
  const found = (await session.rows(ordered(session, ref, { ids, arrays }))).map(([id]) => id ?? "");
  const known = new Set(found);
  return [...known, ...ids.filter((id) => !known.has(id))];
}

function ordered(
  { own }: Session,
  ref: OutboxRef,
  { ids, arrays }: { ids: readonly string[]; arrays: readonly (readonly string[])[] },
): SQL {
  const { mapping } = ref;
  const outbox = outboxTable(mapping);
  const moved = movedTables(own).dead_letter;
  const by = [orderColumn(mapping), mapping.columns.id] as const;
  const fields = (id: SQL, value: (column: MappedColumn) => SQL) =>
    sql`${id} AS id, ${sortable(by[0], value(by[0]))} AS order_0, ${sortable(by[1], value(by[1]))} AS order_1`;
  const inTable = fields(exact(messageId(outbox)), (column) => textOf(outbox, column));
  const inImage = fields(sql`${moved.messageId}`, (column) => imageText(sql`${moved.image}`, column.name));
  const wanted = all(
    sql`${moved.outbox} = ${ref.name}`,
    sql`${moved.messageId} IN (${sql.join(
      ids.map((id) => sql`${id}`),
      sql`, `,
    )})`,
    sql`${moved.image} IS NOT NULL`,
  );
  return sql`SELECT id FROM ((SELECT ${inTable} FROM ${outbox.table} ${outbox.rows} WHERE ${keyIs(mapping, arrays)})
    UNION ALL (SELECT ${inImage} FROM ${own.deadLetter} ${moved} WHERE ${wanted})) found ORDER BY order_0, order_1`;
}

/** A column's text as a value that sorts as the column does; other texts sort by their bytes. */
function sortable({ type }: MappedColumn, text: SQL): SQL {
  switch (kindOf(type)) {
    case "integer":
      return sql`CAST(${text} AS ${sql.raw(isUnsigned(type) ? "UNSIGNED" : "SIGNED")})`;
    case "decimal":
      return sql`CAST(${text} AS DECIMAL(65,30))`;
    case "float":
      return sql`(${text} + 0e0)`;
    case "datetime":
    case "date":
      return sql`CAST(${text} AS DATETIME(6))`;
    case "uuid-bytes":
      return sql`REPLACE(${text}, '-', '')`;
    default:
      return exact(text);
  }
}
