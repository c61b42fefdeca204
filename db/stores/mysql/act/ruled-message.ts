import { type SQL, sql } from "drizzle-orm";
import { AppError } from "#domain/errors.ts";
import type { MappedColumn, OutboxMapping, TableName } from "../../port/mapping.ts";
import type { NewValue, VerbRule } from "../../port/table-rules.ts";
import type { Session } from "../connection/session.ts";
import { keyArrays, keyIs } from "../read/find-message.ts";
import { encodeInstant, inlined, NOW } from "../tables/column-values.ts";
import { outboxTable, tableNamed } from "../tables/outbox-table.ts";
import { listOf } from "../tables/row-image.ts";
import type { Verb } from "./verb.ts";

/** Carries out what a library's file says of an action on a row in its table. */
export function ruledMessage(rule: Setting | Moving): Verb {
  return async (session, { mapping }, found) => {
    const keys = keyArrays(mapping, found.row.id);
    if (!keys) throw new AppError("not_found", "This message is not there any more.");
    const byKey = keyIs(mapping, keys);
    if ("moveTo" in rule) await moveTo(session, mapping, rule, byKey);
    else await setColumns(session, mapping, rule, byKey);
    return rule.does;
  };
}

type Setting = Extract<VerbRule<MappedColumn, TableName>, { set: unknown }>;
type Moving = Extract<VerbRule<MappedColumn, TableName>, { moveTo: unknown }>;

async function setColumns(session: Session, mapping: OutboxMapping, rule: Setting, byKey: SQL): Promise<void> {
  const { table, rows, column } = outboxTable(mapping);
  if (rule.deleteFrom) {
    const { table: other, theirs, ours } = rule.deleteFrom;
    const kept = sql`SELECT ${column(ours)} FROM ${table} ${rows} WHERE ${byKey}`;
    await session.run(sql`DELETE FROM ${tableNamed(other)} WHERE ${sql.identifier(theirs.name)} IN (${kept})`);
  }
  const set = setBy(rule);
  if (set.length > 0) await session.run(sql`UPDATE ${table} ${rows} SET ${listOf(set)} WHERE ${byKey}`);
}

async function moveTo(session: Session, mapping: OutboxMapping, rule: Moving, byKey: SQL): Promise<void> {
  const { table, rows } = outboxTable(mapping);
  await session.run(sql`INSERT INTO ${tableNamed(rule.moveTo)} ${insertedBy(mapping, rule)} WHERE ${byKey}`);
  await session.run(sql`DELETE ${rows} FROM ${table} ${rows} WHERE ${byKey}`);
}

/** `SET` list of a library's action. */
export function setBy(rule: Setting): SQL[] {
  return rule.set.map((one) => sql`${sql.identifier(one.column.name)} = ${valueFor(one.column, one.to)}`);
}

/** The columns of the other table, and a SELECT of their values from this one. */
export function insertedBy(mapping: OutboxMapping, rule: Moving): SQL {
  const { table, rows, column } = outboxTable(mapping);
  const names = rule.values.map(({ theirs }) => sql.identifier(theirs.name));
  const values = rule.values.map(({ theirs, value }) =>
    typeof value === "object" && "column" in value ? column(value.column) : valueFor(theirs, value),
  );
  return sql`(${sql.join(names, sql`, `)}) SELECT ${listOf(values)} FROM ${table} ${rows}`;
}

function valueFor(column: MappedColumn, to: NewValue): SQL {
  if (to === "null") return sql`NULL`;
  if (to === "now") return encodeInstant(column, nowFor(column));
  if (to === "true" || to === "false") return sql.raw(to === "true" ? "1" : "0");
  if (to === "increment") return sql`coalesce(${sql.identifier(column.name)}, 0) + 1`;
  if ("word" in to) return inlined(to.word);
  if ("number" in to) return inlined(to.number);
  return encodeInstant(column, sql`${NOW} + INTERVAL ${inlined(to.secondsFromNow)} SECOND`);
}

/** The time cut to what the column keeps: rounding it up would give a time that has yet to come. */
function nowFor({ type }: MappedColumn): SQL {
  const [, digits = "0"] = /^(?:timestamp|datetime)(?:\((\d)\))?/.exec(type) ?? [null, "6"];
  return sql`UTC_TIMESTAMP(${sql.raw(digits)})`;
}
