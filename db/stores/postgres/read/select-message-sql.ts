import { sql } from "drizzle-orm";
import type { OutboxMapping } from "../../port/mapping.ts";
import { decodeMessageId } from "../../port/message-id.ts";
import { toIndexText } from "../connection/dialect.ts";
import { outboxTable } from "../tables/outbox-table.ts";

/** SQL with which a person reads a message's row in any client. */
export function selectMessageSql(mapping: OutboxMapping, id: string): string {
  const values = decodeMessageId(id, mapping.primaryKey.length);
  const outbox = outboxTable(mapping);
  const where = mapping.primaryKey.map((column, index) => sql`${outbox.column(column)} = ${values[index] ?? ""}`);
  return toIndexText(sql`SELECT * FROM ${outbox.table} WHERE ${sql.join(where, sql` AND `)};`);
}
