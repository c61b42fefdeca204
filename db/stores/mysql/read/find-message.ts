import { and, eq, type SQL, sql } from "drizzle-orm";
import type { MappedColumn, OutboxMapping } from "#db/stores/port/mapping.ts";
import type { MessageContent, StoredText } from "#db/stores/port/message-detail.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { FoundMessage } from "#db/stores/shared/read/found-message.ts";
import type { Session } from "../connection/session.ts";
import { isBinary, kindOf } from "../tables/column-kinds.ts";
import { asNumber, textOf } from "../tables/column-values.ts";
import { movedRowColumns, movedTables, tableRowColumns } from "../tables/message-columns.ts";
import { keyArrays, keyMatch } from "../tables/message-key.ts";
import { outboxTable, tableNamed } from "../tables/outbox-table.ts";
import { imageText } from "../tables/row-image.ts";
import { selectFrom, selectRows } from "../tables/states/message-state.ts";

/** Condition over row `t` that selects the row of a key. */
export function keyIs(mapping: OutboxMapping, keys: readonly (readonly string[])[]): SQL {
  return keyMatch(outboxTable(mapping), keys);
}

/** Looks in the table, then among the dead letters, then in the archive. Throws not_found for a malformed id. */
export async function findMessage(session: Session, ref: OutboxRef, id: string): Promise<FoundMessage | undefined> {
  const keys = keyArrays(ref.mapping, id);
  if (!keys) return undefined;
  const columns = tableRowColumns(session.own, ref);
  const [inTable] = await selectRows(session, ref, columns).where(keyIs(ref.mapping, keys));
  if (inTable) return { row: inTable, place: "table" };
  if (!ref.storeSide) return undefined;
  for (const place of ["dead_letter", "archive"] as const) {
    const moved = movedTables(session.own)[place];
    const [row] = await selectFrom(session, [], movedRowColumns(ref, place), moved).where(
      and(eq(moved.outbox, ref.name), eq(moved.messageId, id)),
    );
    if (row) return { row, place };
  }
  return undefined;
}

/** Longest part of a payload or headers shown on the page; only the relay reads the whole value. */
const SHOWN_CHARACTERS = 256 * 1024;
const COLUMN_CHARACTERS = 2000;

type Column = Pick<MappedColumn, "name" | "type">;

/** Where the values of a message come from: FROM, and a column's value there. */
export interface Source {
  from: SQL;
  /** As text; bytes as hex. */
  text(column: Column): SQL;
  /** Bytes, of a column of bytes. */
  bytes(column: Column): SQL;
}

/** Payload, headers and the other columns as stored text, cut if long. */
export async function readContent(session: Session, ref: OutboxRef, found: FoundMessage): Promise<MessageContent> {
  const { payload, headers } = ref.mapping.columns;
  const source = await sourceOf(session, ref, found);
  if (!source) return { payload: null, headers: null, columns: [] };
  const others = await otherColumns(session, ref);
  const [body, head] = [pieceOf(source, payload), pieceOf(source, headers)];
  const values = others.map((column) => sql`LEFT(${source.text(column)}, ${sql.raw(String(COLUMN_CHARACTERS))})`);
  const [row] = await session.rows(
    sql`SELECT ${sql.join([body.text, body.bytes, head.text, head.bytes, ...values], sql`, `)} FROM ${source.from}`,
  );
  if (!row) return { payload: null, headers: null, columns: [] };
  const [payloadText, payloadBytes, headersText, headersBytes, ...rest] = row;
  return {
    payload: storedText(payloadText, payloadBytes, payload.type),
    headers: headers ? storedText(headersText, headersBytes, headers.type) : null,
    columns: others.map(({ name }, index) => ({ name, value: rest[index] ?? null })),
  };
}

function pieceOf(source: Source, column: MappedColumn | undefined): { text: SQL; bytes: SQL } {
  if (!column) return { text: sql`NULL`, bytes: sql`NULL` };
  const most = sql.raw(String(SHOWN_CHARACTERS));
  if (!isBinary(column.type)) {
    const text = source.text(column);
    return { text: sql`LEFT(${text}, ${most})`, bytes: sql`OCTET_LENGTH(${text})` };
  }
  const bytes = source.bytes(column);
  return { text: sql`TO_BASE64(SUBSTR(${bytes}, 1, ${most}))`, bytes: sql`OCTET_LENGTH(${bytes})` };
}

/** The columns that are neither payload nor headers, in table order. */
async function otherColumns(session: Session, ref: OutboxRef): Promise<Column[]> {
  const { table, columns } = ref.mapping;
  const known = [columns.payload.name, columns.headers?.name];
  const rows = await session.rows(
    sql`SELECT column_name, column_type FROM information_schema.columns WHERE table_schema = ${table.schema} AND table_name = ${table.name}
      AND CAST(table_schema AS BINARY) = ${table.schema} AND CAST(table_name AS BINARY) = ${table.name} ORDER BY ordinal_position`,
  );
  return rows.flatMap(([name, type]) => (name && type && !known.includes(name) ? [{ name, type }] : []));
}

/** The message's row `t` in its table or the team's archive, or its image. */
export async function sourceOf(session: Session, ref: OutboxRef, found: FoundMessage): Promise<Source | undefined> {
  const { mapping } = ref;
  const { table, rows, column } = outboxTable(mapping);
  const keys = keyArrays(mapping, found.row.id);
  const byKey = (from: typeof table): Source | undefined =>
    keys && {
      from: sql`${from} ${rows} WHERE ${keyIs(mapping, keys)}`,
      text: (one) => shownText({ column }, one),
      bytes: column,
    };
  if (found.place === "table") return byKey(table);
  const moved = movedTables(session.own)[found.place];
  const isIt = and(eq(moved.outbox, ref.name), eq(moved.messageId, found.row.id));
  const [kept] = await session.db
    .select({ has: asNumber(sql`${moved.image} IS NOT NULL`) })
    .from(moved)
    .where(isIt);
  const image = sql`${moved.image}`;
  if (kept?.has) {
    return {
      from: sql`${session.own[found.place === "archive" ? "archive" : "deadLetter"]} ${moved} WHERE ${isIt}`,
      text: ({ name }) => imageText(image, name),
      bytes: ({ name }) => sql`UNHEX(${imageText(image, name)})`,
    };
  }
  return mapping.archiveTable ? byKey(tableNamed(mapping.archiveTable)) : undefined;
}

/** Of long bytes only as much as is shown. */
function shownText({ column }: { column(one: Column): SQL }, one: Column): SQL {
  if (kindOf(one.type) !== "bytes")
    return textOf({ column: () => column(one) }, { ...one, nullable: true, from: "shape" });
  return sql`LOWER(HEX(SUBSTR(${column(one)}, 1, ${sql.raw(String(COLUMN_CHARACTERS / 2))})))`;
}

function storedText(
  text: string | null | undefined,
  bytes: string | null | undefined,
  type: string,
): StoredText | null {
  if (text === null || text === undefined) return null;
  const totalBytes = Number(bytes ?? 0);
  if (isBinary(type))
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
    format: kindOf(type) === "json" || looksLikeJson(text) ? "json" : "text",
  };
}

function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}
