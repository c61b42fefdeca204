import type { PoolClient } from "pg";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { decodeMessageId } from "#db/stores/port/message-id.ts";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { AppError } from "#domain/errors.ts";
import { errorCode } from "../connection/database-error.ts";
import { columnSql, keyMatch, quoteIdentifier, quoteTable } from "../tables/mapping-sql.ts";
import { fitsType } from "../tables/message-filter.ts";
import { claimsCte, fromTable, movedRowColumns, tableRowColumns } from "../tables/message-sql.ts";

export type Place = "table" | "dead_letter" | "archive";

/** Where a message is, with its row. */
export interface FoundMessage {
  row: MessageRow;
  place: Place;
}

/** The key of an id as parameters for `keyMatch`; undefined when no row can have it. */
export function keyArrays(mapping: OutboxMapping, id: string): string[][] | undefined {
  const values = decodeMessageId(id, mapping.primaryKey.length);
  const fits = values.every((value, index) => fitsType(value, mapping.primaryKey[index]?.type ?? "text"));
  return fits ? values.map((value) => [value]) : undefined;
}

/** Looks in the table, then among the dead letters, then in the archive. Throws: not_found for an id of no message's form. */
export async function findMessage(client: PoolClient, ref: OutboxRef, id: string): Promise<FoundMessage | undefined> {
  const keys = keyArrays(ref.mapping, id);
  if (!keys) return undefined;
  const inTable = await client
    .query<MessageRow>(
      `WITH ${claimsCte(ref)} SELECT ${tableRowColumns(ref)} FROM ${fromTable(ref)} WHERE ${keyMatch(ref.mapping, "t", 2)}`,
      [ref.name, ...keys],
    )
    .catch((error: unknown) => {
      if (errorCode(error) === "22P02") throw new AppError("not_found", "There is no message with this id.");
      throw error;
    });
  if (inTable.rows[0]) return { row: inTable.rows[0], place: "table" };
  if (!ref.storeSide) return undefined;
  for (const place of ["dead_letter", "archive"] as const) {
    const moved = await client.query<MessageRow>(
      `SELECT ${movedRowColumns(ref, place)} FROM outbox_console.${place} m WHERE m.outbox = $1 AND m.message_id = $2`,
      [ref.name, id],
    );
    if (moved.rows[0]) return { row: moved.rows[0], place };
  }
  return undefined;
}

export interface StoredText {
  text: string;
  totalBytes: number;
  shownBytes: number;
  format: "json" | "text" | "base64";
}

export interface MessageContent {
  payload: StoredText | null;
  headers: StoredText | null;
  columns: { name: string; value: string | null }[];
}

/** A payload longer than this is cut for the page, bytes; the whole is read only by the relay. */
const SHOWN_CHARACTERS = 256 * 1024;
const COLUMN_CHARACTERS = 2000;

/** Payload, headers and the other columns as text, exactly as stored, cut where long. */
export async function readContent(client: PoolClient, ref: OutboxRef, found: FoundMessage): Promise<MessageContent> {
  const { mapping } = ref;
  const from = await sourceOf(client, ref, found);
  if (!from) return { payload: null, headers: null, columns: [] };
  const { payload, headers } = mapping.columns;
  const piece = (name: "payload" | "headers", sql: string, type: string) => {
    const text =
      type === "bytea"
        ? `encode(substr(${sql}, 1, ${SHOWN_CHARACTERS}), 'base64')`
        : `left(${sql}::text, ${SHOWN_CHARACTERS})`;
    const total = type === "bytea" ? `octet_length(${sql})` : `octet_length(${sql}::text)`;
    return `${text} AS ${name}, ${total}::int AS ${name}_bytes`;
  };
  const pieces = [
    piece("payload", columnSql(payload, "t"), payload.type),
    ...(headers ? [piece("headers", columnSql(headers, "t"), headers.type)] : []),
  ];
  const others = await otherColumns(client, ref);
  const values = others.map((name) => `left(t.${quoteIdentifier(name)}::text, ${COLUMN_CHARACTERS})`);
  const result = await client.query<Record<string, string | number | null> & { others: (string | null)[] }>(
    `SELECT ${pieces.join(", ")}, ARRAY[${values.join(", ")}]::text[] AS others FROM ${from.sql}`,
    from.values,
  );
  const row = result.rows[0];
  if (!row) return { payload: null, headers: null, columns: [] };
  return {
    payload: storedText(row.payload, row.payload_bytes, payload.type),
    headers: headers ? storedText(row.headers, row.headers_bytes, headers.type) : null,
    columns: others.map((name, index) => ({ name, value: row.others[index] ?? null })),
  };
}

/** Names of the columns that are neither payload nor headers, in table order. */
async function otherColumns(client: PoolClient, ref: OutboxRef): Promise<string[]> {
  const { table, columns } = ref.mapping;
  const result = await client.query<{ name: string }>(
    "SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attname <> ALL($2::text[]) ORDER BY attnum",
    [quoteTable(table), [columns.payload.name, columns.headers?.name ?? ""]],
  );
  return result.rows.map((row) => row.name);
}

/** FROM item `t` with the message's row, out of its table or out of an image; parameters from $1. */
async function sourceOf(
  client: PoolClient,
  ref: OutboxRef,
  found: FoundMessage,
): Promise<{ sql: string; values: unknown[] } | undefined> {
  const table = quoteTable(ref.mapping.table);
  const keys = keyArrays(ref.mapping, found.row.id);
  if (found.place === "table")
    return keys ? { sql: `${table} t WHERE ${keyMatch(ref.mapping, "t", 1)}`, values: keys } : undefined;
  const moved = await client.query<{ image: string | null }>(
    `SELECT image::text AS image FROM outbox_console.${found.place} WHERE outbox = $1 AND message_id = $2`,
    [ref.name, found.row.id],
  );
  const image = moved.rows[0]?.image;
  if (image) return { sql: `json_populate_record(NULL::${table}, $1::text::json) t`, values: [image] };
  const archive = ref.mapping.archiveTable;
  return archive && keys
    ? { sql: `${quoteTable(archive)} t WHERE ${keyMatch(ref.mapping, "t", 1)}`, values: keys }
    : undefined;
}

function storedText(text: unknown, bytes: unknown, type: string): StoredText | null {
  if (typeof text !== "string") return null;
  const totalBytes = Number(bytes ?? 0);
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
