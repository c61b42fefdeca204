import { sql } from "drizzle-orm";
import type { MappedColumn, OutboxMapping } from "#db/stores/port/mapping.ts";
import { all } from "#db/stores/shared/states/conditions.ts";
import { unsent } from "#db/stores/shared/states/state-predicates.ts";
import { keyParameters } from "#db/stores/shared/tables/key-parameters.ts";
import { listOf } from "#db/stores/shared/tables/list-of.ts";
import { isLockTimeout, isTimeout } from "../../connection/database-error.ts";
import type { Session } from "../../connection/session.ts";
import { kindOf } from "../../tables/column-kinds.ts";
import { asNumber } from "../../tables/column-values.ts";
import { keyMatch } from "../../tables/message-key.ts";
import { outboxTable } from "../../tables/outbox-table.ts";

const ROWS_LOOKED_AT = 10_000;

/**
 * Number of waiting rows that transactions have locked, found by the keys that MySQL prints of its
 * locks; rows that it inserted are not visible yet and do not count. Null if a key cannot be read back from its print,
 * the table cannot be read now, or there are more locks than are read.
 */
export async function countLockedRows(
  session: Session,
  mapping: OutboxMapping,
  transactions: readonly string[],
): Promise<number | null> {
  const { schema, name } = mapping.table;
  if (transactions.length === 0) return 0;
  // Not by thread: once an insert has moved the row, the lock names another session's thread.
  const isOwners = sql`engine_transaction_id IN (${listOf(transactions.map((id) => sql`${id}`))})`;
  const rows = await session.rows(
    sql`SELECT DISTINCT lock_data FROM performance_schema.data_locks
      WHERE object_schema = ${schema} AND object_name = ${name} AND ${isOwners} AND index_name = 'PRIMARY'
        AND lock_type = 'RECORD' AND lock_status = 'GRANTED' AND lock_mode NOT LIKE '%,GAP%' AND NOT (lock_data <=> 'supremum pseudo-record')
      LIMIT ${sql.raw(String(ROWS_LOOKED_AT + 1))}`,
  );
  if (rows.length === 0) return 0;
  // Locks are missing from the result, and the ones in it may all be on rows that were published long ago.
  if (rows.length > ROWS_LOOKED_AT) return null;
  if (!(await isPrimaryKey(session, mapping))) return null;
  const keys = rows.map(([data]) => keyOf(data ?? "", mapping.primaryKey));
  const known = keys.filter((key) => key !== null);
  return known.length < keys.length ? null : countWaiting(session, mapping, known);
}

/** True if the mapping's key is the table's primary key, whose values a lock shows. */
async function isPrimaryKey(session: Session, { table, primaryKey }: OutboxMapping): Promise<boolean> {
  const rows = await session.rows(
    sql`SELECT column_name FROM information_schema.statistics
      WHERE table_schema = ${table.schema} AND table_name = ${table.name} AND index_name = 'PRIMARY' ORDER BY seq_in_index`,
  );
  const names = rows.map(([name]) => name);
  return names.length === primaryKey.length && primaryKey.every(({ name }, index) => names[index] === name);
}

async function countWaiting(session: Session, mapping: OutboxMapping, keys: string[][]): Promise<number | null> {
  const outbox = outboxTable(mapping);
  const byKey = keyMatch(outbox, keyParameters(keys, mapping.primaryKey.length));
  try {
    const [row] = await session.db
      .select({ count: asNumber(sql`COUNT(*)`) })
      .from(outbox.rows)
      .where(all(byKey, unsent(outbox)));
    return row?.count ?? 0;
  } catch (error) {
    if (!isLockTimeout(error) && !isTimeout(error)) throw error;
    return null;
  }
}

const VALUE = /'(?:[^']|'')*'|0x[0-9A-Fa-f]*|-?\d+/g;

/** The texts of a key, e.g. of `'a', 5`; null if they may differ from the stored values. */
function keyOf(data: string, primaryKey: readonly MappedColumn[]): string[] | null {
  const printed = data.match(VALUE) ?? [];
  if (printed.join(", ") !== data || printed.length !== primaryKey.length) return null;
  const texts = printed.map((value, index) => textOfPrint(value, primaryKey[index]?.type ?? ""));
  return texts.includes(null) ? null : (texts as string[]);
}

function textOfPrint(value: string, type: string): string | null {
  switch (kindOf(type)) {
    case "integer":
      return /^-?\d+$/.test(value) && !/^bit\b/.test(type) ? value : null;
    case "uuid-bytes":
      return /^0x[0-9a-f]{32}$/i.test(value) ? uuidOf(value.slice(2).toLowerCase()) : null;
    case "bytes":
      return value.startsWith("0x") ? value.slice(2).toLowerCase() : null;
    case "text":
      return textOfQuoted(value, type);
    default:
      return null;
  }
}

function uuidOf(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Characters outside ASCII may be printed as question marks, and long texts cut. */
function textOfQuoted(value: string, type: string): string | null {
  if (!/^'[\x20-\x3e\x40-\x7e]{0,200}'$/.test(value)) return null;
  const text = value.slice(1, -1).replaceAll("''", "'");
  return type.startsWith("char") ? text.trimEnd() : text;
}
