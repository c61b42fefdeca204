import { type SQL, sql } from "drizzle-orm";
import type { MappedColumn, OutboxMapping } from "#db/stores/port/mapping.ts";
import { all, any, inlined, NEVER } from "#db/stores/shared/states/conditions.ts";
import { fittingKeys } from "#db/stores/shared/tables/fitting-keys.ts";
import { isUnsigned, kindOf } from "./column-kinds.ts";
import { comparable, exact, keyText, textOf } from "./column-values.ts";
import { fitsType } from "./fits-type.ts";
import type { OutboxTable } from "./outbox-table.ts";

type Of = Pick<OutboxTable, "column"> & { mapping: Pick<OutboxMapping, "primaryKey"> };

/** Types whose texts are safe in a URL as they are. */
function isPlain(type: string): boolean {
  const kind = kindOf(type);
  return kind === "integer" || kind === "uuid" || kind === "uuid-bytes";
}

/**
 * SQL: the encoded message id of a row (see message-id.ts), in utf8mb4. A single uuid or integer key is its own text;
 * any other key is packed as `encodeMessageId` does.
 */
export function messageId(outbox: Of): SQL<string> {
  const { primaryKey } = outbox.mapping;
  const [first] = primaryKey;
  // Rows without a key can still be counted; lists and actions refuse such a table earlier.
  if (!first) return sql`NULL`;
  if (primaryKey.length === 1 && isPlain(first.type)) return textOf(outbox, first) as SQL<string>;
  const texts = primaryKey.map((column) => keyText(outbox, column));
  const base64 = sql`REPLACE(TO_BASE64(${jsonArray(texts)}), ${inlined("\n")}, '')`;
  const packed = sql`CONCAT('~', REPLACE(REPLACE(TRIM(TRAILING '=' FROM ${base64}), '+', '-'), '/', '_'))`;
  const [text] = texts;
  if (primaryKey.length > 1 || !text) return sql`${packed}`;
  // Under utf8mb4_bin, because a case-insensitive match would take a Kelvin sign for a K.
  const safe = sql`CHAR_LENGTH(${text}) BETWEEN 1 AND 200 AND ${text} COLLATE utf8mb4_bin NOT REGEXP '[^A-Za-z0-9_-]'`;
  return sql`(CASE WHEN ${safe} THEN ${text} ELSE ${packed} END)`;
}

/** JSON array of texts without spaces, as JSON.stringify writes it. */
function jsonArray(texts: readonly SQL[]): SQL {
  const parts = texts.map((text) => sql`JSON_QUOTE(${text})`);
  return sql`CONCAT('[', ${sql.join(parts, sql`, ',', `)}, ']')`;
}

/**
 * Condition of the rows of some keys. `keys`: one list of texts per key column, in key order, as from `keyParameters`;
 * their texts become literals. Exact, and served by the key's index. NEVER without a key.
 */
export function keyMatch(outbox: Of, keys: readonly (readonly string[])[]): SQL {
  const { primaryKey } = outbox.mapping;
  const [only, ...others] = primaryKey;
  const count = keys[0]?.length ?? 0;
  if (!only || count === 0) return NEVER;
  if (others.length === 0) return oneOf(outbox, only, keys[0] ?? []);
  const matches = Array.from({ length: count }, (_, at) =>
    all(...primaryKey.map((column, index) => equalsText(outbox, column, keys[index]?.[at] ?? ""))),
  );
  // Not as (a, b) IN ((…), …): MariaDB searches no index for that.
  return any(...matches.map((match) => sql`(${match})`));
}

/** `column = text` in the column's own type, and exactly: served by its index, and never by the collation alone. */
export function equalsText({ column }: Pick<Of, "column">, mapped: MappedColumn, text: string): SQL {
  return oneOf({ column }, mapped, [text]);
}

/** As `equalsText`, for any of the texts. */
export function oneOf(row: Pick<Of, "column">, mapped: MappedColumn, texts: readonly string[]): SQL {
  const kind = kindOf(mapped.type);
  const among = (value: SQL, values: readonly SQL[]) =>
    values.length === 1 ? sql`${value} = ${values[0]}` : sql`${value} IN (${sql.join([...values], sql`, `)})`;
  const bytes = () =>
    among(
      exact(textOf(row, mapped)),
      texts.map((text) => exact(sql`${text}`)),
    );
  if (kind === "json" || kind === "other") return bytes();
  const byIndex = among(
    row.column(mapped),
    texts.map((text) => comparable(mapped, text)),
  );
  return kind === "text" || kind === "words" ? all(byIndex, bytes()) : byIndex;
}

/**
 * `key = <key unpacked from an encoded message id>`, the reverse of `messageId`, so that a join from the store side
 * finds each row by its primary key. `id`: a VARBINARY of ours. Exact.
 */
export function keyFromId(outbox: Of, id: SQL): SQL {
  const { primaryKey } = outbox.mapping;
  const [first] = primaryKey;
  if (!first) return NEVER;
  if (primaryKey.length === 1) {
    const text = sql`CONVERT(${id} USING utf8mb4)`;
    const value = isPlain(first.type) ? text : sql`(CASE WHEN ${id} LIKE '~%' THEN ${part(id, 0)} ELSE ${text} END)`;
    return keyIs(outbox, first, value);
  }
  return all(...primaryKey.map((column, index) => keyIs(outbox, column, part(id, index))));
}

/** One value of a packed id, as text. */
function part(id: SQL, index: number): SQL {
  const body = sql`REPLACE(REPLACE(SUBSTR(${id}, 2), '-', '+'), '_', '/')`;
  const padded = sql`RPAD(${body}, (LENGTH(${id}) + 2) DIV 4 * 4, '=')`;
  const json = sql`CONVERT(FROM_BASE64(${padded}) USING utf8mb4)`;
  return sql`JSON_UNQUOTE(JSON_EXTRACT(${json}, ${inlined(`$[${index}]`)}))`;
}

/**
 * `column = value` for a computed text in utf8mb4, served by the column's index. Two texts that both come from columns
 * are compared under neither column's collation. UNHEX gives bytes whose collation is weaker, so the column compares
 * them under its own, like a literal. The second condition makes the comparison exact.
 */
function keyIs(row: Pick<Of, "column">, mapped: MappedColumn, value: SQL): SQL {
  const column = row.column(mapped);
  switch (kindOf(mapped.type)) {
    case "integer":
      return sql`${column} = CAST(${value} AS ${sql.raw(isUnsigned(mapped.type) ? "UNSIGNED" : "SIGNED")})`;
    case "decimal":
      return sql`${column} = CAST(${value} AS DECIMAL(65,30))`;
    case "float":
      return sql`${column} = (${value} + 0e0)`;
    case "uuid-bytes":
    case "bytes":
      return sql`${column} = UNHEX(REPLACE(${value}, '-', ''))`;
    case "uuid":
      return sql`${column} = CAST(${value} AS UUID)`;
    case "datetime":
      return sql`${column} = CAST(REPLACE(REPLACE(${value}, 'T', ' '), 'Z', '') AS DATETIME(6))`;
    case "date":
      return sql`${column} = CAST(${value} AS DATE)`;
    case "text":
    case "words":
      return sql`${column} = UNHEX(HEX(${value})) AND ${exact(textOf(row, mapped))} = ${exact(value)}`;
    default:
      return sql`${exact(textOf(row, mapped))} = ${exact(value)}`;
  }
}

/** Aggregate type and id as one text, as in delivery.aggregate_key; null if the row has no aggregate. */
export function aggregateKey(outbox: Pick<OutboxTable, "mapping" | "column">): SQL<string | null> {
  const { aggregateType, aggregateId } = outbox.mapping.columns;
  if (!aggregateId) return sql`NULL`;
  const id = textOf(outbox, aggregateId);
  return aggregateType ? sql`CONCAT(${textOf(outbox, aggregateType)}, '/', ${id})` : id;
}

/** Keys of ids whose values fit the types of their columns. */
export const { keyArrays, keysOf } = fittingKeys(fitsType);
