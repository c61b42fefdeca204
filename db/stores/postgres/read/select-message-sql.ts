import type { OutboxMapping } from "../../port/mapping.ts";
import { decodeMessageId } from "../../port/message-id.ts";
import { quoteIdentifier, quoteLiteral, quoteTable } from "../tables/mapping-sql.ts";

/** How a person finds a message's row with any client of the database. */
export function selectMessageSql(mapping: OutboxMapping, id: string): string {
  const values = decodeMessageId(id, mapping.primaryKey.length);
  const where = mapping.primaryKey.map(
    (column, index) => `${quoteIdentifier(column.name)} = ${quoteLiteral(values[index] ?? "")}`,
  );
  return `SELECT * FROM ${quoteTable(mapping.table)} WHERE ${where.join(" AND ")};`;
}
