import { type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import { listOf } from "#db/stores/shared/tables/list-of.ts";
import { AppError } from "#domain/errors.ts";
import type { OutboxMapping } from "../../port/mapping.ts";
import { requireWritten } from "../../shared/act/require-written.ts";
import {
  changesOf,
  type MovingRule,
  movedValues,
  type SettingRule,
  type ValueWriter,
} from "../../shared/act/ruled-changes.ts";
import { queryOn } from "../connection/query-on.ts";
import { keyIs } from "../read/find-message.ts";
import { currentValue } from "../tables/column-values.ts";
import { keyArrays } from "../tables/message-key.ts";
import { outboxTable, tableNamed } from "../tables/outbox-table.ts";
import type { Verb } from "./verb.ts";

/** Performs an action on a row of a library's table, by the rule in the library's file. */
export function ruledMessage(rule: SettingRule | MovingRule): Verb {
  return async (client, { mapping }, found) => {
    const keys = keyArrays(mapping, found.row.id);
    if (!keys) throw new AppError("not_found", "This message is not there any more.");
    const byKey = keyIs(mapping, keys);
    if ("moveTo" in rule) await moveTo(client, mapping, rule, byKey);
    else await setColumns(client, mapping, rule, byKey);
    return rule.does;
  };
}

async function setColumns(client: PoolClient, mapping: OutboxMapping, rule: SettingRule, byKey: SQL): Promise<void> {
  const db = queryOn(client);
  const { table, rows, column } = outboxTable(mapping);
  if (rule.deleteFrom) {
    const { table: other, theirs, ours } = rule.deleteFrom;
    const kept = sql`SELECT ${column(ours)} FROM ${table} ${rows} WHERE ${byKey}`;
    await db.execute(sql`DELETE FROM ${tableNamed(other)} WHERE ${sql.identifier(theirs.name)} IN (${kept})`);
  }
  const set = changesBy(rule);
  if (set.length === 0) return;
  requireWritten((await db.execute(sql`UPDATE ${table} AS ${rows} SET ${listOf(set)} WHERE ${byKey}`)).rowCount);
}

async function moveTo(client: PoolClient, mapping: OutboxMapping, rule: MovingRule, byKey: SQL): Promise<void> {
  const db = queryOn(client);
  const { table, rows } = outboxTable(mapping);
  await db.execute(sql`INSERT INTO ${tableNamed(rule.moveTo)} ${insertedBy(mapping, rule)} WHERE ${byKey}`);
  requireWritten((await db.execute(sql`DELETE FROM ${table} AS ${rows} WHERE ${byKey}`)).rowCount);
}

/** `SET` list of a library's action. */
export function changesBy(rule: SettingRule): SQL[] {
  return changesOf(rule, WRITER);
}

/** The columns of the other table, and a SELECT of their values from this one. */
export function insertedBy(mapping: OutboxMapping, rule: MovingRule): SQL {
  const { table, rows, column } = outboxTable(mapping);
  const { names, values } = movedValues(rule, column, WRITER);
  return sql`(${names}) SELECT ${values} FROM ${table} ${rows}`;
}

export const WRITER: ValueWriter = {
  now: currentValue,
  flag: (value) => sql.raw(String(value)),
};
