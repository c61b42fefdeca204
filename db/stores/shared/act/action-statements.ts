import { type SQL, sql } from "drizzle-orm";
import { AppError } from "#domain/errors.ts";
import type { OutboxMapping, TableName } from "../../port/mapping.ts";
import type { ActionStatement } from "../../port/outbox-actions.ts";
import type { MovingRule, SettingRule } from "./ruled-changes.ts";
import { ruledVerb } from "./ruled-verb.ts";

/** The SQL of one engine for the changes that actions make. */
export interface StatementWords {
  /**
   * `SET` lists of a table without a library's rules. `dead` is null if its columns cannot say it; may throw AppError.
   */
  retry(): SQL[];
  dead(): SQL[] | null;
  changesOf(rule: SettingRule): SQL[];
  /** The columns of the other table, and a SELECT of their values from this one. */
  insertedBy(rule: MovingRule): SQL;
  table(name: TableName): SQL;
  /** Placeholder for a column of the key, counted from 0. */
  placeholder(index: number): string;
  toText(statement: SQL): string;
}

type Statement = Omit<ActionStatement, "action">;

const NOTHING_CHANGES = "Nothing in this table changes; our own records say that it is due.";

/** SQL that each action runs on the team's table for one row, for people to read. */
export function actionStatements(mapping: OutboxMapping, words: StatementWords): ActionStatement[] {
  const { table, toText } = words;
  const where = sql`WHERE ${byKey(mapping, words)}`;
  const deleted = toText(sql`DELETE FROM ${table(mapping.table)} ${where}`);
  const moved = { sql: deleted, note: "The row is kept as an exact image in the console's own tables." };
  const update = (set: readonly SQL[]): Statement =>
    set.length === 0
      ? { sql: null, note: NOTHING_CHANGES }
      : { sql: toText(sql`UPDATE ${table(mapping.table)} SET ${sql.join([...set], sql`, `)} ${where}`), note: null };
  const leaving = (to: TableName, inserted: SQL, note: string | null): Statement => ({
    sql: `${toText(sql`INSERT INTO ${table(to)} ${inserted} ${where}`)};\n${deleted}`,
    note,
  });

  const statementOf = (action: "retry" | "dead-letter", plain: () => SQL[] | null): Statement => {
    const rule = ruledVerb(mapping, action);
    if (rule === null) {
      const set = plain();
      return set === null ? moved : update(set);
    }
    if ("refuse" in rule) return { sql: null, note: rule.refuse };
    if ("moveOut" in rule) return { sql: deleted, note: rule.does };
    if ("set" in rule) return { ...update(words.changesOf(rule)), note: rule.does };
    return leaving(rule.moveTo, words.insertedBy(rule), rule.does);
  };
  const archive = (): Statement => {
    const rule = ruledVerb(mapping, "archive");
    if (rule && "refuse" in rule) return { sql: null, note: rule.refuse };
    const { archiveTable } = mapping;
    return archiveTable ? leaving(archiveTable, sql`SELECT * FROM ${table(mapping.table)}`, null) : moved;
  };
  return [
    { action: "retry", ...orRefusal(() => statementOf("retry", words.retry)) },
    { action: "dead-letter", ...orRefusal(() => statementOf("dead-letter", words.dead)) },
    { action: "archive", ...archive() },
  ];
}

/** The statement, or the message with which the action would be refused. */
function orRefusal(statement: () => Statement): Statement {
  try {
    return statement();
  } catch (error) {
    if (error instanceof AppError) return { sql: null, note: error.message };
    throw error;
  }
}

function byKey({ primaryKey }: OutboxMapping, { placeholder }: StatementWords): SQL {
  const parts = primaryKey.map(({ name }, index) => sql`${sql.identifier(name)} = ${sql.raw(placeholder(index))}`);
  return parts.length === 0 ? sql.raw("…") : sql.join(parts, sql` AND `);
}
