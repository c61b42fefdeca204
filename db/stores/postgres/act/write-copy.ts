import { randomUUID } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import { errorCode } from "#db/stores/shared/connection/driver-error.ts";
import { inlined } from "#db/stores/shared/states/conditions.ts";
import { listOf } from "#db/stores/shared/tables/list-of.ts";
import { AppError } from "#domain/errors.ts";
import type { CorrectionRequest } from "../../port/correction.ts";
import type { MappedColumn, OutboxMapping } from "../../port/mapping.ts";
import { type CopyColumn, type CopyPlan, type CopyValue, copyPlan } from "../../shared/act/copy-plan.ts";
import { castTo } from "../connection/dialect.ts";
import { queryOn } from "../connection/query-on.ts";
import { comparisonType, currentValue } from "../tables/column-values.ts";
import { quoteTable } from "../tables/mapping-sql.ts";
import { messageId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";

/** Types whose text is what the team's programs write and read. */
const TEXT_TYPE = /^(json|jsonb|text|citext|character varying.*|character\(.*)$/;
const UUID_TYPE =
  "a.atttypid = 'uuid'::regtype OR a.atttypmod = 40 AND a.atttypid IN ('varchar'::regtype, 'bpchar'::regtype)";

/** How a copy of a row is written, or why not. */
export async function planCopy(client: Pick<PoolClient, "query">, mapping: OutboxMapping): Promise<CopyPlan> {
  const { payload, headers } = mapping.columns;
  for (const column of [payload, ...(headers ? [headers] : [])])
    if (!TEXT_TYPE.test(column.type))
      return { no: `${column.name} is ${column.type}: only text and JSON can be edited as they are stored.` };
  const table = quoteTable(mapping.table);
  const { rows: foreign } = await client.query<{ is: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
       WHERE c.conrelid = $1::regclass AND c.contype = 'f' AND a.attname = $2) AS is`,
    [table, payload.name],
  );
  if (foreign[0]?.is) return { no: `${payload.name} refers to another table, where the payload is kept.` };
  const { rows } = await client.query<CopyColumn>(
    `SELECT a.attname AS name, NOT a.attnotnull AS nullable, a.attgenerated <> '' AS generated, a.atthasdef AS filled, (${UUID_TYPE}) AS uuid,
       a.attidentity <> '' OR coalesce(pg_get_expr(d.adbin, d.adrelid) ~* 'nextval|uuid', false) AND a.attgenerated = '' AS counts
     FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
     WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
    [table],
  );
  return copyPlan(mapping, rows);
}

interface CopyInput {
  mapping: OutboxMapping;
  values: ReadonlyMap<string, CopyValue>;
  /** FROM item with the original as row `t`. */
  from: SQL;
  request: CorrectionRequest;
}

/** Inserts the copy; its encoded id. Throws wrong_state if a value does not fit its column. */
export async function writeCopy(client: PoolClient, { mapping, values, from, request }: CopyInput): Promise<string> {
  const outbox = outboxTable(mapping);
  const written = [...values].filter(([, { kind }]) => kind !== "default");
  const names = written.map(([name]) => sql`${sql.identifier(name)}`);
  const expressions = written.map(([name, value]) => writtenValue(mapping, request, { name, value }));
  const insert = sql`INSERT INTO ${outbox.table} AS ${outbox.rows} (${listOf(names)}) SELECT ${listOf(expressions)} FROM ${from}
    RETURNING ${messageId(outbox)} AS id`;
  try {
    const { rows } = await queryOn(client).execute<{ id: string }>(insert);
    const [row] = rows;
    if (!row) throw new AppError("not_found", "This message is not there any more.");
    return row.id;
  } catch (error) {
    if (!errorCode(error)?.startsWith("22")) throw error;
    throw new AppError("wrong_state", "A value of the copy does not fit its column: nothing was sent.", {
      cause: error,
    });
  }
}

function writtenValue(
  mapping: OutboxMapping,
  { payload, headers }: CorrectionRequest,
  { name, value }: { name: string; value: CopyValue },
): SQL {
  const { columns } = mapping;
  const original = outboxTable(mapping).column({ name });
  switch (value.kind) {
    case "payload":
      return typed(columns.payload, payload);
    case "headers":
      return headers === undefined || !columns.headers ? original : typed(columns.headers, headers);
    case "uuid":
      return sql`${randomUUID()}::text${castTo(uuidCast(mapping, name))}`;
    case "now":
      return currentValue(value.column);
    case "word":
      return inlined(value.word);
    case "null":
      return sql`NULL`;
    case "empty":
      return sql`''`;
    case "zero":
      return sql`0`;
    case "false":
      return sql`false`;
    default:
      return original;
  }
}

function typed(column: MappedColumn, text: string): SQL {
  return sql`${text}::text${castTo(comparisonType(column.type))}`;
}

function uuidCast({ primaryKey, columns }: OutboxMapping, name: string): string {
  const column = [...primaryKey, columns.id].find((one) => one.name === name);
  return comparisonType(column?.type ?? "uuid");
}
