import { sql } from "drizzle-orm";
import type { OutboxMapping } from "../../port/mapping.ts";
import { decodeMessageId } from "../../port/message-id.ts";
import { toIndexText } from "../connection/dialect.ts";
import { outboxTable } from "../tables/outbox-table.ts";

/** How a person finds a message's row with any client of the database. */
export function selectMessageSql(mapping: OutboxMapping, id: string): string {
  const values = decodeMessageId(id, mapping.primaryKey.length);
  const outbox = outboxTable(mapping);
  const where = mapping.primaryKey.map((column, index) => sql`${outbox.column(column)} = ${values[index] ?? ""}`);
  return toIndexText(sql`SELECT * FROM ${outbox.table} WHERE ${sql.join(where, sql` AND `)};`);
}
