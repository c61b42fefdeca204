import { type SQL, sql } from "drizzle-orm";
import { AppError } from "#domain/errors.ts";
import type { MappedColumn, OutboxMapping, TableName } from "../../port/mapping.ts";
import type { ActionStatement } from "../../port/outbox-actions.ts";
import type { VerbRule } from "../../port/table-rules.ts";
import { ruledVerb } from "../../shared/ruled-verb.ts";
import { toText } from "../connection/dialect.ts";
import { tableNamed } from "../tables/outbox-table.ts";
import { listOf } from "../tables/row-image.ts";
import { deadAssignments, retryAssignments } from "./native-updates.ts";
import { insertedBy, setBy } from "./ruled-message.ts";

/** What each action writes into the team's table, for one row with its key in place of each ?, to read. */
export function actionStatements(mapping: OutboxMapping): ActionStatement[] {
  const moved = { sql: deleteText(mapping), note: "The row is kept as an exact image in the console's own tables." };
  return [
    {
      action: "retry",
      ...statementOf(mapping, ruledVerb(mapping, "retry"), () => retryAssignments(mapping, null), moved),
    },
    {
      action: "dead-letter",
      ...statementOf(mapping, ruledVerb(mapping, "dead-letter"), () => deadAssignments(mapping), moved),
    },
    { action: "archive", ...archiveOf(mapping, moved) },
  ];
}

type Statement = Omit<ActionStatement, "action">;
type Rule = VerbRule<MappedColumn, TableName>;

function statementOf(
  mapping: OutboxMapping,
  rule: Rule | null,
  plain: () => SQL[] | null,
  moved: Statement,
): Statement {
  try {
    if (rule === null) {
      const set = plain();
      return set === null ? moved : updateOf(mapping, set);
    }
    if ("refuse" in rule) return { sql: null, note: rule.refuse };
    if ("moveOut" in rule) return { sql: moved.sql, note: rule.does };
    if ("set" in rule) return { ...updateOf(mapping, setBy(rule)), note: rule.does };
    const into = sql`INSERT INTO ${tableNamed(rule.moveTo)} ${insertedBy(mapping, rule)} WHERE ${byKey(mapping)}`;
    return { sql: `${toText(into)};\n${deleteText(mapping)}`, note: rule.does };
  } catch (error) {
    if (error instanceof AppError) return { sql: null, note: error.message };
    throw error;
  }
}

function updateOf(mapping: OutboxMapping, set: readonly SQL[]): Statement {
  if (set.length === 0)
    return { sql: null, note: "Nothing in this table changes; our own records say that it is due." };
  return {
    sql: toText(sql`UPDATE ${tableNamed(mapping.table)} SET ${listOf(set)} WHERE ${byKey(mapping)}`),
    note: null,
  };
}

function archiveOf(mapping: OutboxMapping, moved: Statement): Statement {
  const rule = ruledVerb(mapping, "archive");
  if (rule && "refuse" in rule) return { sql: null, note: rule.refuse };
  const { archiveTable } = mapping;
  if (!archiveTable) return moved;
  const copy = sql`INSERT INTO ${tableNamed(archiveTable)} SELECT * FROM ${tableNamed(mapping.table)} WHERE ${byKey(mapping)}`;
  return { sql: `${toText(copy)};\n${deleteText(mapping)}`, note: null };
}

function deleteText(mapping: OutboxMapping): string {
  return toText(sql`DELETE FROM ${tableNamed(mapping.table)} WHERE ${byKey(mapping)}`);
}

function byKey({ primaryKey }: OutboxMapping): SQL {
  const parts = primaryKey.map(({ name }) => sql`${sql.identifier(name)} = ${sql.raw("?")}`);
  return parts.length === 0 ? sql.raw("…") : sql.join(parts, sql` AND `);
}
