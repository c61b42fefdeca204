import { randomUUID } from "node:crypto";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { FoundMessage } from "#db/stores/shared/read/found-message.ts";
import { inlined } from "#db/stores/shared/states/conditions.ts";
import { listOf } from "#db/stores/shared/tables/list-of.ts";
import { AppError } from "#domain/errors.ts";
import type { CorrectionRequest } from "../../port/correction.ts";
import type { OutboxMapping } from "../../port/mapping.ts";
import { decodeMessageId, encodeMessageId } from "../../port/message-id.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { type CopyColumn, type CopyPlan, type CopyValue, copyPlan } from "../../shared/act/copy-plan.ts";
import type { Session } from "../connection/session.ts";
import { keyIs } from "../read/find-message.ts";
import { kindOf } from "../tables/column-kinds.ts";
import { currentValue } from "../tables/column-values.ts";
import { codecOf } from "../tables/image-codec.ts";
import { keyArrays } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { imageText, readRowImage } from "../tables/row-image.ts";

const isText = (type: string) => ["text", "json"].includes(kindOf(type));
const UUID_TYPE = /^((var)?char\(36\)|binary\(16\)|uuid$)/;

/** How a copy of a row is written, or why not. */
export async function planCopy(session: Session, mapping: OutboxMapping): Promise<CopyPlan> {
  const { payload, headers } = mapping.columns;
  for (const column of [payload, ...(headers ? [headers] : [])])
    if (!isText(column.type))
      return { no: `${column.name} is ${column.type}: only text and JSON can be edited as they are stored.` };
  const { schema, name } = mapping.table;
  const [foreign] = await session.rows(
    sql`SELECT COUNT(*) FROM information_schema.key_column_usage WHERE table_schema = ${schema} AND table_name = ${name}
      AND column_name = ${payload.name} AND referenced_table_name IS NOT NULL`,
  );
  if (foreign?.[0] !== "0") return { no: `${payload.name} refers to another table, where the payload is kept.` };
  return copyPlan(mapping, await readColumns(session, mapping));
}

/** The server does not return computed defaults to the writer: only AUTO_INCREMENT counts. */
async function readColumns(session: Session, { table: { schema, name } }: OutboxMapping): Promise<CopyColumn[]> {
  const rows = await session.rows(
    sql`SELECT column_name, is_nullable, extra, column_default, column_type FROM information_schema.columns
      WHERE table_schema = ${schema} AND table_name = ${name}
        AND CAST(table_schema AS BINARY) = ${schema} AND CAST(table_name AS BINARY) = ${name} ORDER BY ordinal_position`,
  );
  return rows.map(([column, nullable, extra, fallback, type]) => ({
    name: column ?? "",
    nullable: nullable === "YES",
    generated: /(VIRTUAL|STORED|PERSISTENT) GENERATED/i.test(extra ?? ""),
    counts: /auto_increment/i.test(extra ?? ""),
    filled: fallback !== null && fallback !== undefined && fallback !== "NULL",
    uuid: UUID_TYPE.test((type ?? "").toLowerCase()),
  }));
}

interface CopyInput {
  values: ReadonlyMap<string, CopyValue>;
  found: FoundMessage;
  request: CorrectionRequest;
}

/** Inserts the copy; its encoded id. */
export async function writeCopy(session: Session, ref: OutboxRef, input: CopyInput): Promise<string> {
  const { mapping } = ref;
  const written = [...input.values].filter(([, { kind }]) => kind !== "default");
  const original = await originalOf(session, ref, input.found);
  const uuids = new Map(
    written.flatMap(([name, { kind }]) => (kind === "uuid" ? [[name, randomUUID()] as const] : [])),
  );
  const expressions = written.map(([name, value]) =>
    writtenValue(mapping, input.request, { name, value, uuids, original }),
  );
  const names = written.map(([name]) => sql`${sql.identifier(name)}`);
  const { table } = outboxTable(mapping);
  const { affectedRows, insertId } = await session.run(
    sql`INSERT INTO ${table} (${listOf(names)}) SELECT ${listOf(expressions)} FROM ${original.from}`,
  );
  if (affectedRows !== 1) throw new AppError("not_found", "This message is not there any more.");
  return idOfCopy(mapping, input, { uuids, insertId });
}

/** The parts of the key that are new, and those of the original. */
function idOfCopy(
  { primaryKey }: OutboxMapping,
  { values, found }: CopyInput,
  { uuids, insertId }: { uuids: ReadonlyMap<string, string>; insertId: string },
): string {
  const originals = decodeMessageId(found.row.id, primaryKey.length);
  const parts = primaryKey.map(({ name }, index) => {
    const kind = values.get(name)?.kind;
    if (kind === "uuid") return uuids.get(name) ?? "";
    return kind === "default" ? insertId : (originals[index] ?? "");
  });
  return encodeMessageId(parts);
}

interface Original {
  from: SQL;
  value(name: string): SQL;
}

/** The row in its table, or its image among the dead letters. */
async function originalOf(session: Session, ref: OutboxRef, found: FoundMessage): Promise<Original> {
  const { table, rows, column } = outboxTable(ref.mapping);
  if (found.place === "table") {
    const keys = keyArrays(ref.mapping, found.row.id) ?? [];
    return { from: sql`${table} ${rows} WHERE ${keyIs(ref.mapping, keys)}`, value: (name) => column({ name }) };
  }
  const { deadLetter } = session.own;
  const { columns } = await readRowImage(session, ref.mapping);
  const byName = new Map(columns.map((one) => [one.name, one]));
  const isIt = and(eq(deadLetter.outbox, ref.name), eq(deadLetter.messageId, found.row.id));
  return {
    from: sql`${deadLetter} WHERE ${isIt}`,
    value: (name) => {
      const known = byName.get(name);
      const text = imageText(sql`${deadLetter.image}`, name);
      return (known && codecOf(known)?.decode(text)) ?? sql`NULL`;
    },
  };
}

interface Written {
  name: string;
  value: CopyValue;
  uuids: ReadonlyMap<string, string>;
  original: Original;
}

function writtenValue(
  mapping: OutboxMapping,
  { payload, headers }: CorrectionRequest,
  { name, value, uuids, original }: Written,
): SQL {
  switch (value.kind) {
    case "payload":
      return sql`${payload}`;
    case "headers":
      return headers === undefined ? original.value(name) : sql`${headers}`;
    case "uuid":
      return uuidOf(mapping, name, uuids.get(name) ?? "");
    case "now":
      return currentValue(value.column);
    case "word":
      return inlined(value.word);
    case "null":
      return sql`NULL`;
    case "empty":
      return sql`''`;
    case "zero":
    case "false":
      return sql`0`;
    default:
      return original.value(name);
  }
}

function uuidOf({ primaryKey, columns }: OutboxMapping, name: string, uuid: string): SQL {
  const column = [...primaryKey, columns.id].find((one) => one.name === name);
  return kindOf(column?.type ?? "") === "uuid-bytes" ? sql`UNHEX(${uuid.replaceAll("-", "")})` : sql`${uuid}`;
}
