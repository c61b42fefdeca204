import { and, eq, type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { MappedColumn, OutboxMapping } from "#db/stores/port/mapping.ts";
import type { MessageContent, StoredText } from "#db/stores/port/message-detail.ts";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { errorCode } from "#db/stores/shared/connection/driver-error.ts";
import type { FoundMessage } from "#db/stores/shared/read/found-message.ts";
import { AppError } from "#domain/errors.ts";
import { queryOn } from "../connection/query-on.ts";
import { movedRowColumns, movedTables, tableRowColumns } from "../tables/message-columns.ts";
import { arrayParameters, keyArrays, keyMatch } from "../tables/message-key.ts";
import { outboxTable, regclass, tableNamed } from "../tables/outbox-table.ts";
import { selectFrom, selectRows } from "../tables/states/message-state.ts";

/** Condition over row `t` that selects the row of a key. */
export function keyIs(mapping: OutboxMapping, keys: readonly (readonly string[])[]): SQL {
  return keyMatch(outboxTable(mapping), arrayParameters(keys));
}

/** Looks in the table, then among the dead letters, then in the archive. Throws not_found for a malformed id. */
export async function findMessage(client: PoolClient, ref: OutboxRef, id: string): Promise<FoundMessage | undefined> {
  const keys = keyArrays(ref.mapping, id);
  if (!keys) return undefined;
  const inTable = await findInTable(client, ref, keys);
  if (inTable) return { row: inTable, place: "table" };
  if (!ref.storeSide) return undefined;
  for (const place of ["dead_letter", "archive"] as const) {
    const m = movedTables[place];
    const [row] = await selectFrom(queryOn(client), [], movedRowColumns(ref, place), m).where(
      and(eq(m.outbox, ref.name), eq(m.messageId, id)),
    );
    if (row) return { row, place };
  }
  return undefined;
}

async function findInTable(client: PoolClient, ref: OutboxRef, keys: string[][]): Promise<MessageRow | undefined> {
  try {
    const [row] = await selectRows(queryOn(client), ref, tableRowColumns(ref)).where(keyIs(ref.mapping, keys));
    return row;
  } catch (error) {
    if (errorCode(error) === "22P02") throw new AppError("not_found", "There is no message with this id.");
    throw error;
  }
}

/** Longest part of a payload or headers shown on the page; only the relay reads the whole value. */
const SHOWN_CHARACTERS = 256 * 1024;
const COLUMN_CHARACTERS = 2000;

/** Payload, headers and the other columns as stored text, cut if long. */
export async function readContent(client: PoolClient, ref: OutboxRef, found: FoundMessage): Promise<MessageContent> {
  const { mapping } = ref;
  const { payload, headers } = mapping.columns;
  const outbox = outboxTable(mapping);
  const from = await sourceOf(client, ref, found);
  if (!from) return { payload: null, headers: null, columns: [] };
  const piece = (column: MappedColumn | undefined) => {
    if (!column) return { text: sql<null>`NULL::text`, bytes: sql<null>`NULL::int` };
    const value = outbox.column(column);
    return column.type === "bytea"
      ? { text: sql`encode(substr(${value}, 1, ${SHOWN_CHARACTERS}), 'base64')`, bytes: sql`octet_length(${value})` }
      : { text: sql`left(${value}::text, ${SHOWN_CHARACTERS})`, bytes: sql`octet_length(${value}::text)` };
  };
  const others = await otherColumns(client, ref);
  const values = others.map((name) => sql`left(${outbox.column({ name })}::text, ${COLUMN_CHARACTERS})`);
  const [body, head] = [piece(payload), piece(headers)];
  const result = await queryOn(client).execute<{
    payload: string | null;
    payloadBytes: number | null;
    headers: string | null;
    headersBytes: number | null;
    others: (string | null)[];
  }>(
    sql`SELECT ${body.text} AS payload, ${body.bytes}::int AS "payloadBytes", ${head.text} AS headers, ${head.bytes}::int AS "headersBytes",
      ARRAY[${sql.join(values, sql`, `)}]::text[] AS others FROM ${from}`,
  );
  const row = result.rows[0];
  if (!row) return { payload: null, headers: null, columns: [] };
  return {
    payload: storedText(row.payload, row.payloadBytes, payload.type),
    headers: headers ? storedText(row.headers, row.headersBytes, headers.type) : null,
    columns: others.map((name, index) => ({ name, value: row.others[index] ?? null })),
  };
}

/** Names of the columns that are neither payload nor headers, in table order. */
async function otherColumns(client: PoolClient, ref: OutboxRef): Promise<string[]> {
  const { table, columns } = ref.mapping;
  const known = sql.param([columns.payload.name, columns.headers?.name ?? ""]);
  const { rows } = await queryOn(client).execute<{ name: string }>(
    sql`SELECT attname AS name FROM pg_attribute WHERE attrelid = ${regclass(table)} AND attnum > 0 AND NOT attisdropped AND attname <> ALL(${known}::text[]) ORDER BY attnum`,
  );
  return rows.map((row) => row.name);
}

/** FROM item `t` with the message's row, from its table or its image. */
export async function sourceOf(client: PoolClient, ref: OutboxRef, found: FoundMessage): Promise<SQL | undefined> {
  const { mapping } = ref;
  const { table, rows } = outboxTable(mapping);
  const keys = keyArrays(mapping, found.row.id);
  const byKey = (from: typeof table) => (keys ? sql`${from} ${rows} WHERE ${keyIs(mapping, keys)}` : undefined);
  if (found.place === "table") return byKey(table);
  const m = movedTables[found.place];
  const [moved] = await selectFrom(queryOn(client), [], { image: sql<string | null>`${m.image}::text` }, m).where(
    and(eq(m.outbox, ref.name), eq(m.messageId, found.row.id)),
  );
  if (moved?.image) return sql`json_populate_record(NULL::${table}, ${moved.image}::text::json) ${rows}`;
  return mapping.archiveTable ? byKey(tableNamed(mapping.archiveTable)) : undefined;
}

function storedText(text: string | null, bytes: number | null, type: string): StoredText | null {
  if (text === null) return null;
  const totalBytes = bytes ?? 0;
  if (type === "bytea")
    return {
      text: text.replaceAll("\n", ""),
      totalBytes,
      shownBytes: Math.min(totalBytes, SHOWN_CHARACTERS),
      format: "base64",
    };
  return {
    text,
    totalBytes,
    shownBytes: Buffer.byteLength(text, "utf8"),
    format: /^jsonb?$/.test(type) || looksLikeJson(text) ? "json" : "text",
  };
}

function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}
