import type { MappedColumn, OutboxMapping } from "#db/stores/port/mapping.ts";
import { decodeMessageId } from "#db/stores/port/message-id.ts";
import { kindOf } from "../tables/column-kinds.ts";
import { columnSql, comparable, quoteLiteral } from "../tables/mapping-sql.ts";

const WHOLE = /^-?\d{1,20}$/;

const HEX = /^[0-9a-f]+$/i;

/** A text of the column as a literal of its type; quick and short, because a statement may have thousands. */
export function literalFor(column: Pick<MappedColumn, "type">, text: string): string {
  switch (kindOf(column.type)) {
    case "text":
      return quoteLiteral(text);
    case "integer":
      return WHOLE.test(text) ? text : comparable(column, text);
    case "uuid-bytes": {
      const hex = text.replaceAll("-", "");
      return HEX.test(hex) ? `X'${hex}'` : comparable(column, text);
    }
    default:
      return comparable(column, text);
  }
}

/** A list in parentheses for IN; one that nothing equals if it is empty. */
function listOf(values: readonly string[]): string {
  return values.length === 0 ? "(NULL)" : `(${values.join(", ")})`;
}

export function textList(texts: readonly string[]): string {
  return listOf(texts.map(quoteLiteral));
}

/** MariaDB turns a longer IN list into a join with a temporary table, and finds no row by its key then. */
const LONGEST_LIST = 900;

/**
 * SQL over row `o`: its key is that of one of the messages. Compares as the key's own index does, under which no two
 * rows are equal. Index: the key's.
 */
export function hasId({ primaryKey }: OutboxMapping, ids: readonly string[]): string {
  const keys = ids.map((id) => decodeMessageId(id, primaryKey.length));
  const [only, ...others] = primaryKey;
  if (!only || keys.length === 0) return "FALSE";
  if (others.length > 0) {
    // Not as (a, b) IN ((…), …): MariaDB searches no index for that.
    const rows = keys.map((key) => primaryKey.map((column, index) => equals(column, key[index] ?? "")).join(" AND "));
    return `(${rows.map((row) => `(${row})`).join(" OR ")})`;
  }
  const literals = keys.map(([text = ""]) => literalFor(only, text));
  const lists: string[] = [];
  for (let from = 0; from < literals.length; from += LONGEST_LIST)
    lists.push(`${columnSql(only, "o")} IN (${literals.slice(from, from + LONGEST_LIST).join(", ")})`);
  return lists.length === 1 ? (lists[0] ?? "") : `(${lists.join(" OR ")})`;
}

function equals(column: MappedColumn, text: string): string {
  return `${columnSql(column, "o")} = ${literalFor(column, text)}`;
}

/** A number as a literal; 0 for one that is not finite. */
export function numberLiteral(value: number): string {
  return Number.isFinite(value) ? String(value) : "0";
}

/** UTC_TIMESTAMP(6) and so many ms more. */
export function afterMs(ms: number): string {
  return `(UTC_TIMESTAMP(6) + INTERVAL ${numberLiteral(Math.round(ms * 1000))} MICROSECOND)`;
}
