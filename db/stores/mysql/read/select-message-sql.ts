import { sql } from "drizzle-orm";
import type { MappedColumn, OutboxMapping } from "../../port/mapping.ts";
import { decodeMessageId } from "../../port/message-id.ts";
import { toIndexText } from "../connection/dialect.ts";
import { isBinary, kindOf } from "../tables/column-kinds.ts";
import { outboxTable } from "../tables/outbox-table.ts";

/** SQL with which a person reads a message's row in any client. */
export function selectMessageSql(mapping: OutboxMapping, id: string): string {
  const values = decodeMessageId(id, mapping.primaryKey.length);
  const outbox = outboxTable(mapping);
  const where = mapping.primaryKey.map(
    (column, index) => sql`${outbox.column(column)} = ${literal(column, values[index] ?? "")}`,
  );
  return toIndexText(sql`SELECT * FROM ${outbox.table} WHERE ${sql.join(where, sql` AND `)};`);
}

function literal({ type }: MappedColumn, text: string) {
  if (isBinary(type)) return sql`UNHEX(${text.replaceAll("-", "")})`;
  if (kindOf(type) === "integer" && /^-?\d+$/.test(text)) return sql.raw(text);
  return kindOf(type) === "datetime" ? sql`${text.replace("T", " ").replace("Z", "")}` : sql`${text}`;
}
