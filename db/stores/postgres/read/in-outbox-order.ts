import type { Pool } from "pg";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { isAppError } from "#domain/errors.ts";
import { errorCode } from "../connection/database-error.ts";
import { withReadTransaction } from "../connection/transaction.ts";
import {
  columnSql,
  comparisonType,
  keyMatch,
  messageIdExpression,
  orderColumn,
  quoteLiteral,
  quoteTable,
} from "../tables/mapping-sql.ts";
import { keyArrays } from "./find-message.ts";

const TIMEOUT_MS = 2000;

/**
 * The same ids in the order in which the outbox first delivers: by its order column, else creation time, then id. Looks
 * in the table and among the dead letters, by key; ids of no message come last, as they were. All stay as they were when
 * one of them cannot be a key's value at all.
 */
export async function inOutboxOrder(pool: Pool, ref: OutboxRef, ids: readonly string[]): Promise<string[]> {
  const keys = ids.flatMap((id) => keysOf(ref, id));
  const arrays = ref.mapping.primaryKey.map((_, index) => keys.map((key) => key[index] ?? ""));
  const found = await withReadTransaction(pool, TIMEOUT_MS, async (client) => {
    const { rows } = await client.query<{ id: string }>(orderedSql(ref), [ref.name, ids, ...arrays]);
    return rows.map(({ id }) => id);
  }).catch((error: unknown) => {
    if (errorCode(error)?.startsWith("22")) return [];
    throw error;
  });
  const known = new Set(found);
  return [...found, ...ids.filter((id) => !known.has(id))];
}

function keysOf(ref: OutboxRef, id: string): string[][] {
  try {
    const key = keyArrays(ref.mapping, id)?.map(([value]) => value ?? "");
    return key ? [key] : [];
  } catch (error) {
    if (isAppError(error)) return [];
    throw error;
  }
}

function orderedSql({ mapping }: OutboxRef): string {
  const columns = [orderColumn(mapping), mapping.columns.id];
  const names = columns.map((_, index) => `order_${index}`);
  const select = (id: string, value: (column: MappedColumn) => string) =>
    `SELECT ${id} AS id, ${columns.map((column, index) => `${value(column)} AS ${names[index]}`).join(", ")}`;
  const cast = (column: MappedColumn) => `::${comparisonType(column.type)}`;
  return `SELECT id FROM (
    ${select(messageIdExpression(mapping, "t"), (column) => `${columnSql(column, "t")}${cast(column)}`)}
      FROM ${quoteTable(mapping.table)} t WHERE ${keyMatch(mapping, "t", 3)}
    UNION ALL
    ${select("m.message_id", (column) => `(m.image ->> ${quoteLiteral(column.name)})${cast(column)}`)}
      FROM outbox_console.dead_letter m WHERE m.outbox = $1 AND m.message_id = ANY($2::text[]) AND m.image IS NOT NULL
  ) found ORDER BY ${names.join(", ")}`;
}
