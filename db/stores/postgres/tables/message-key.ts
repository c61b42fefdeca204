import { type SQL, sql } from "drizzle-orm";
import type { MappedColumn, OutboxMapping } from "#db/stores/port/mapping.ts";
import { fittingKeys } from "#db/stores/shared/tables/fitting-keys.ts";
import { castTo } from "../connection/dialect.ts";
import { comparisonType, keyText } from "./column-values.ts";
import { fitsType } from "./fits-type.ts";
import type { OutboxTable } from "./outbox-table.ts";

const PLAIN_TYPE = /^(uuid|bigint|integer|smallint)$/;

/**
 * SQL: the encoded message id of a row (see message-id.ts). A single uuid or integer key is its own text; any other key
 * is packed as `encodeMessageId` does.
 */
export function messageId(outbox: OutboxTable): SQL<string> {
  const { primaryKey } = outbox.mapping;
  const [first] = primaryKey;
  // Rows without a key can still be counted; lists and actions refuse such a table earlier.
  if (!first) return sql`NULL::text`;
  if (primaryKey.length === 1 && PLAIN_TYPE.test(first.type)) return sql`${outbox.column(first)}::text`;
  const texts = primaryKey.map((column) => keyText(outbox, column));
  const packed = sql`'~' || translate(rtrim(replace(encode(convert_to(${jsonArray(texts)}, 'UTF8'), 'base64'), E'\\n', ''), '='), '+/', '-_')`;
  if (primaryKey.length > 1) return sql`(${packed})`;
  return sql`(CASE WHEN ${texts[0]} ~ '^[A-Za-z0-9_-]{1,200}$' THEN ${texts[0]} ELSE ${packed} END)`;
}

/** JSON array of texts without spaces, as JSON.stringify writes it. */
function jsonArray(texts: readonly SQL[]): SQL {
  const parts = texts.map((text) => sql`to_json(${text})::text`);
  return sql`'[' || ${sql.join(parts, sql` || ',' || `)} || ']'`;
}

/**
 * `key = ANY(array)` for one key column, or a join with unnest for several. `arrays`: one array of texts per key
 * column, in key order, as from `keyArrays` or as placeholders.
 */
export function keyMatch(
  { mapping, column }: Pick<OutboxTable, "column"> & { mapping: Pick<OutboxMapping, "primaryKey"> },
  arrays: readonly SQL[],
): SQL {
  const { primaryKey } = mapping;
  const typed = primaryKey.map(({ type }, index) => sql`${arrays[index]}::text[]${castTo(comparisonType(type))}[]`);
  const [only] = primaryKey;
  if (primaryKey.length === 1 && only) return sql`${column(only)} = ANY(${typed[0]})`;
  const columns = sql.join(primaryKey.map(column), sql`, `);
  return sql`(${columns}) IN (SELECT * FROM unnest(${sql.join(typed, sql`, `)}))`;
}

/** Arrays of texts as parameters. */
export function arrayParameters(arrays: readonly (readonly string[])[]): SQL[] {
  return arrays.map((values) => sql`${sql.param(values)}`);
}

/**
 * `key = <key unpacked from an encoded message id>`, the reverse of `messageId`, so that a join from the store side
 * finds each row by its primary key.
 */
export function keyFromId(outbox: Pick<OutboxTable, "mapping" | "column">, id: SQL): SQL {
  const { primaryKey } = outbox.mapping;
  const [first] = primaryKey;
  const equals = (column: MappedColumn, value: SQL) =>
    sql`${outbox.column(column)} = (${value})${castTo(comparisonType(column.type))}`;
  if (primaryKey.length === 1 && first) {
    return equals(
      first,
      PLAIN_TYPE.test(first.type) ? id : sql`CASE WHEN ${id} LIKE '~%' THEN ${unpacked(id)} ->> 0 ELSE ${id} END`,
    );
  }
  const parts = primaryKey.map((column, index) => equals(column, sql`${unpacked(id)} ->> ${sql.raw(String(index))}`));
  return sql.join(parts, sql` AND `);
}

function unpacked(id: SQL): SQL {
  const body = sql`translate(substr(${id}, 2), '-_', '+/')`;
  return sql`(convert_from(decode(${body} || repeat('=', (4 - length(${body}) % 4) % 4), 'base64'), 'UTF8')::json)`;
}

/** Aggregate type and id as one text, as in delivery.aggregate_key; null if the row has no aggregate. */
export function aggregateKey(outbox: Pick<OutboxTable, "mapping" | "column">): SQL<string | null> {
  const { aggregateType, aggregateId } = outbox.mapping.columns;
  if (!aggregateId) return sql`NULL::text`;
  const id = sql<string | null>`${outbox.column(aggregateId)}::text`;
  return aggregateType ? sql`(${outbox.column(aggregateType)}::text || '/' || ${id})` : id;
}

/** Keys of ids whose values fit the types of their columns. */
export const { keyArrays, keysOf } = fittingKeys(fitsType);
