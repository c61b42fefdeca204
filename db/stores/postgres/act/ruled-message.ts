import { type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import { AppError } from "#domain/errors.ts";
import type { MappedColumn, OutboxMapping, TableName } from "../../port/mapping.ts";
import type { NewValue, VerbRule } from "../../port/table-rules.ts";
import { queryOn } from "../connection/query-on.ts";
import { keyArrays, keyIs } from "../read/find-message.ts";
import { encodeInstant, inlined } from "../tables/column-values.ts";
import { outboxTable, tableNamed } from "../tables/outbox-table.ts";
import { listOf } from "../tables/row-image.ts";
import type { Verb } from "./verb.ts";

/** Carries out what a library's file says of an action on a row in its table. */
export function ruledMessage(rule: Setting | Moving): Verb {
  return async (client, { mapping }, found) => {
    const keys = keyArrays(mapping, found.row.id);
    if (!keys) throw new AppError("not_found", "This message is not there any more.");
    const byKey = keyIs(mapping, keys);
    if ("moveTo" in rule) await moveTo(client, mapping, rule, byKey);
    else await setColumns(client, mapping, rule, byKey);
    return rule.does;
  };
}

type Setting = Extract<VerbRule<MappedColumn, TableName>, { set: unknown }>;
type Moving = Extract<VerbRule<MappedColumn, TableName>, { moveTo: unknown }>;

async function setColumns(client: PoolClient, mapping: OutboxMapping, rule: Setting, byKey: SQL): Promise<void> {
  const db = queryOn(client);
  const { table, rows, column } = outboxTable(mapping);
  if (rule.deleteFrom) {
    const { table: other, theirs, ours } = rule.deleteFrom;
    const kept = sql`SELECT ${column(ours)} FROM ${table} ${rows} WHERE ${byKey}`;
    await db.execute(sql`DELETE FROM ${tableNamed(other)} WHERE ${sql.identifier(theirs.name)} IN (${kept})`);
  }
  const set = setBy(rule);
  if (set.length > 0) await db.execute(sql`UPDATE ${table} AS ${rows} SET ${listOf(set)} WHERE ${byKey}`);
}

async function moveTo(client: PoolClient, mapping: OutboxMapping, rule: Moving, byKey: SQL): Promise<void> {
  const db = queryOn(client);
  const { table, rows } = outboxTable(mapping);
  await db.execute(sql`INSERT INTO ${tableNamed(rule.moveTo)} ${insertedBy(mapping, rule)} WHERE ${byKey}`);
  await db.execute(sql`DELETE FROM ${table} AS ${rows} WHERE ${byKey}`);
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
  if (to === "true" || to === "false") return sql.raw(to);
  if (to === "increment") return sql`coalesce(${sql.identifier(column.name)}, 0) + 1`;
  if ("word" in to) return inlined(to.word);
  if ("number" in to) return inlined(to.number);
  return encodeInstant(column, sql`clock_timestamp() + make_interval(secs => ${inlined(to.secondsFromNow)})`);
}

/** The time cut to what the column keeps: rounding it up would give a time that has yet to come. */
function nowFor({ type, time }: MappedColumn): SQL {
  const digits = Number(/^timestamp\((\d)\)/.exec(type)?.[1] ?? 6);
  const whole = digits < 3 || (time?.kind === "epoch" && time.unit === "s");
  if (whole) return sql`date_trunc('second', clock_timestamp())`;
  const exact = digits === 6 && time?.kind !== "epoch";
  return exact ? sql`clock_timestamp()` : sql`date_trunc('milliseconds', clock_timestamp())`;
}
