import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { columnSql, comparisonType } from "./mapping-sql.ts";

/**
 * `t.key = <key unpacked from an encoded message id>`, the reverse of `messageIdExpression`, so that a join from what
 * is kept beside finds each row by its primary key.
 */
export function keyFromId(mapping: OutboxMapping, idSql: string, alias: string): string {
  const [first] = mapping.primaryKey;
  if (mapping.primaryKey.length === 1 && first) {
    const plain = /^(uuid|bigint|integer|smallint)$/.test(first.type);
    const value = plain ? idSql : `CASE WHEN ${idSql} LIKE '~%' THEN ${unpacked(idSql)} ->> 0 ELSE ${idSql} END`;
    return `${columnSql(first, alias)} = (${value})::${comparisonType(first.type)}`;
  }
  return mapping.primaryKey
    .map(
      (column, index) =>
        `${columnSql(column, alias)} = (${unpacked(idSql)} ->> ${index})::${comparisonType(column.type)}`,
    )
    .join(" AND ");
}

function unpacked(idSql: string): string {
  const body = `translate(substr(${idSql}, 2), '-_', '+/')`;
  return `(convert_from(decode(${body} || repeat('=', (4 - length(${body}) % 4) % 4), 'base64'), 'UTF8')::json)`;
}
