import { type SQL, sql } from "drizzle-orm";
import type { MappedColumn, OutboxMapping } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { MovedPlace } from "#db/stores/shared/read/found-message.ts";
import { traceForms } from "#db/stores/shared/read/trace-forms.ts";
import { all, any, grouped, NEVER } from "#db/stores/shared/states/conditions.ts";
import { toText } from "../connection/dialect.ts";
import { createIndex } from "../plans/recommended-indexes.ts";
import { kindOf } from "./column-kinds.ts";
import { type Row, textOf } from "./column-values.ts";
import { fitsType } from "./fits-type.ts";
import type { Piece } from "./index-pieces.ts";
import { m } from "./message-columns.ts";
import { equalsText, keyFromId } from "./message-key.ts";
import { outboxTable, tableNamed } from "./outbox-table.ts";
import { imageText } from "./row-image.ts";

/**
 * Rows of the trace, as alternatives that an index may serve: by the trace id's column, or without one by the headers.
 */
export function traceFilter({ columns }: Pick<OutboxMapping, "columns">, row: Row, id: string): Piece[] {
  const { traceId, headers } = columns;
  if (traceId) return byColumn(row, traceId, id);
  return [{ where: headers ? inHeaders(textOf(row, headers), headers, id) : NEVER, columns: [] }];
}

function byColumn(row: Row, column: MappedColumn, id: string): Piece[] {
  const { texts, parent } = traceForms(id);
  const bare = texts
    .filter((text) => fitsType(text, column.type))
    .map((text): Piece => ({ where: equalsText(row, column, text), columns: [{ name: column.name, one: true }] }));
  if (kindOf(column.type) !== "text") return bare.slice(0, 1);
  const parents = sql`${row.column(column)} LIKE ${`${parent}%`}`;
  return [...bare, { where: parents, columns: [{ name: column.name, one: false }] }];
}

/** JSON has it in its member `traceparent`; other text anywhere. */
function inHeaders(text: SQL, { type }: MappedColumn, id: string): SQL {
  const kind = kindOf(type);
  if (kind === "json") return sql`SUBSTR(JSON_UNQUOTE(JSON_EXTRACT(${text}, '$.traceparent')), 4, 32) = ${id}`;
  const sought = kind === "bytes" ? Buffer.from(id).toString("hex") : id;
  return sql`${text} COLLATE utf8mb4_general_ci LIKE ${`%${sought}%`}`;
}

/**
 * Rows of dead_letter or archive in the trace, by the image of the row, or by the row in the team's own archive table.
 */
export function movedTraceFilter({ mapping }: Pick<OutboxRef, "mapping">, place: MovedPlace, id: string): SQL {
  const moved = m[place];
  const { traceId, headers } = mapping.columns;
  const inImage = ({ name }: MappedColumn) => sql`CONVERT(${imageText(sql`${moved.image}`, name)} USING utf8mb4)`;
  const byImage = traceId ? textHas(inImage(traceId), id) : headers ? inHeaders(inImage(headers), headers, id) : NEVER;
  if (place !== "archive" || mapping.archiveTable === null) return byImage;
  const own = outboxTable({ ...mapping, table: mapping.archiveTable }, "own_archive");
  const pieces = traceFilter(mapping, own, id).map(({ where }) => grouped(where));
  const there = all(keyFromId(own, sql`${moved.messageId}`), any(...pieces));
  return any(byImage, sql`(${moved.image} IS NULL AND EXISTS (SELECT 1 FROM ${own.table} ${own.rows} WHERE ${there}))`);
}

function textHas(text: SQL, id: string): SQL {
  const { dashed, parent } = traceForms(id);
  const plain = sql`${text} COLLATE utf8mb4_general_ci`;
  return sql`(${plain} IN (${id}, ${dashed}) OR ${plain} LIKE ${`${parent}%`})`;
}

/**
 * SQL that speeds up a search by trace: an index on the column, or for JSON a generated column for `columns.traceId`.
 */
export function traceIndex({ table, columns }: OutboxMapping): string {
  const { traceId, headers } = columns;
  if (traceId) return createIndex({ table }, [traceId]) ?? "";
  if (!headers || kindOf(headers.type) !== "json") return "";
  const made = sql`SUBSTR(JSON_UNQUOTE(JSON_EXTRACT(${sql.identifier(headers.name)}, '$.traceparent')), 4, 32)`;
  return toText(
    sql`ALTER TABLE ${tableNamed(table)} ADD COLUMN trace_id varchar(32) AS (${made}) VIRTUAL, ADD INDEX outbox_trace_id (trace_id);`,
  );
}
