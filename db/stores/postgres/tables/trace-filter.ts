import { type SQL, sql } from "drizzle-orm";
import type { MappedColumn, OutboxMapping } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { MovedPlace } from "#db/stores/shared/read/found-message.ts";
import { type TraceForms, traceForms } from "#db/stores/shared/read/trace-forms.ts";
import { all, any, NEVER } from "#db/stores/shared/states/conditions.ts";
import { toIndexText } from "../connection/dialect.ts";
import { comparable, type Row } from "./column-values.ts";
import { movedTables } from "./message-columns.ts";
import { keyFromId } from "./message-key.ts";
import { outboxTable } from "./outbox-table.ts";

/** Rows of a trace. `either`: conditions that indexes may serve; one of them holds for every row of `where`. */
export interface TraceFilter {
  where: SQL;
  either: SQL[];
}

const TEXT = /^(text$|character|citext$)/;
const JSON_TYPE = /^jsonb?$/;

/**
 * Rows of the table in the trace: by the column of the role alone where there is one, elsewhere by `traceparent` in the
 * headers.
 */
export function traceFilter({ columns }: Pick<OutboxMapping, "columns">, row: Row, id: string): TraceFilter {
  const forms = traceForms(id);
  if (columns.traceId) return byColumn(row, columns.traceId, forms);
  const where = columns.headers ? byHeaders(row, columns.headers, forms) : NEVER;
  return { where, either: [where] };
}

function byColumn(row: Row, column: MappedColumn, { dashed, texts, parent, behindParent }: TraceForms): TraceFilter {
  const value = row.column(column);
  if (column.type === "uuid") {
    const where = sql`${value} = ${comparable(column, dashed)}`;
    return { where, either: [where] };
  }
  const isText = TEXT.test(column.type);
  const among = isText ? texts.map((text) => comparable(column, text)) : texts.map((text) => sql`${text}::text`);
  const stored = isText ? value : sql`${value}::text`;
  const bare = sql`${stored} IN (${sql.join(among, sql`, `)})`;
  const parents = sql`${stored} LIKE ${`${parent}%`}`;
  // A LIKE pattern needs a special kind of index; any index serves a range.
  const range = isText
    ? sql`(${value} >= ${comparable(column, parent)} AND ${value} < ${comparable(column, behindParent)})`
    : parents;
  return { where: any(bare, parents), either: [bare, range] };
}

function byHeaders(row: Row, column: MappedColumn, { id }: TraceForms): SQL {
  const value = row.column(column);
  if (JSON_TYPE.test(column.type)) return sql`${idInJson(value)} = ${id}`;
  if (column.type === "bytea") return sql`position(convert_to(${id}, 'UTF8') IN ${value}) > 0`;
  return sql`${value}::text ILIKE ${`%${id}%`}`;
}

/** As an index can hold it: the trace id in the member `traceparent`. */
function idInJson(headers: SQL): SQL {
  return sql`substr(${headers} ->> 'traceparent', 4, 32)`;
}

/**
 * Rows `m` of dead_letter or archive in the trace, by the image of the row, or by the row in the team's own archive
 * table.
 */
export function movedTraceFilter({ mapping }: Pick<OutboxRef, "mapping">, place: MovedPlace, id: string): SQL {
  const m = movedTables[place];
  const { archiveTable, columns } = mapping;
  const byImage = traceFilter({ columns: asTexts(columns) }, imageRow(sql`${m.image}`, columns), id).where;
  if (place !== "archive" || archiveTable === null) return byImage;
  const own = outboxTable({ ...mapping, table: archiveTable }, "own_archive");
  const there = all(keyFromId(own, sql`${m.messageId}`), traceFilter(mapping, own, id).where);
  return any(byImage, sql`(${m.image} IS NULL AND EXISTS (SELECT 1 FROM ${own.table} ${own.rows} WHERE ${there}))`);
}

/** Of an image every value is a text, except JSON. */
function asTexts({ id, payload, traceId, headers }: OutboxMapping["columns"]): OutboxMapping["columns"] {
  return {
    id,
    payload,
    ...(traceId && { traceId: { ...traceId, type: "text" } }),
    ...(headers && { headers: { ...headers, type: JSON_TYPE.test(headers.type) ? "json" : "text" } }),
  };
}

function imageRow(image: SQL, { headers }: OutboxMapping["columns"]): Row {
  const isJson = (name: string) => name === headers?.name && JSON_TYPE.test(headers.type);
  return {
    column: ({ name }) => {
      if (isJson(name)) return sql`(${image} -> ${name})`;
      const text = sql`(${image} ->> ${name})`;
      // An image holds bytes as hex after a backslash and an x.
      return name === headers?.name && headers.type === "bytea"
        ? sql`convert_from(decode(substr(${text}, 3), 'hex'), 'LATIN1')`
        : text;
    },
  };
}

/** CREATE INDEX statement for searches by trace in headers of JSON; null where no index can serve them. */
export function headersTraceIndex(mapping: OutboxMapping, partitioned: boolean): string | null {
  const { headers } = mapping.columns;
  if (!headers || !JSON_TYPE.test(headers.type)) return null;
  const { table, column } = outboxTable(mapping);
  const concurrently = sql.raw(partitioned ? "" : "CONCURRENTLY ");
  return toIndexText(sql`CREATE INDEX ${concurrently}ON ${table} ((${idInJson(column(headers))}));`);
}
