import { AppError } from "#domain/errors.ts";
import type { OutboxMapping } from "../../port/mapping.ts";
import type { ActionStatement } from "../../port/outbox-actions.ts";
import type { Changes } from "./item-writes.ts";
import { deadChanges, retryChanges } from "./native-changes.ts";

const IMAGE = "The item is kept as an exact image in the console's own table.";

/** PartiQL of each action's change to the team's table, for people to read; each ? stands for a value of the key. */
export function actionStatements(mapping: OutboxMapping): ActionStatement[] {
  const moved = { sql: `DELETE FROM "${mapping.table.schema}" WHERE ${keyOf(mapping)}`, note: IMAGE };
  return [
    { action: "retry", ...updateOf(mapping, () => retryChanges(mapping, {}, new Date())) },
    { action: "dead-letter", ...(updateOrNull(mapping, () => deadChanges(mapping, null)) ?? moved) },
    { action: "archive", ...moved },
  ];
}

type Statement = Omit<ActionStatement, "action">;

function updateOf(mapping: OutboxMapping, changes: () => Changes): Statement {
  return updateOrNull(mapping, changes) ?? { sql: null, note: "Nothing in the item changes." };
}

function updateOrNull(mapping: OutboxMapping, changes: () => Changes | null): Statement | null {
  try {
    const entries = Object.entries(changes() ?? {});
    if (entries.length === 0) return null;
    const parts = entries.map(([name, value]) =>
      value === null ? `REMOVE "${name}"` : `SET "${name}" = ${literal(value)}`,
    );
    return { sql: `UPDATE "${mapping.table.schema}" ${parts.join(" ")} WHERE ${keyOf(mapping)}`, note: null };
  } catch (error) {
    if (error instanceof AppError) return { sql: null, note: error.message };
    throw error;
  }
}

function literal(value: NonNullable<Changes[string]>): string {
  if ("N" in value && value.N !== undefined) return value.N;
  return "S" in value && value.S !== undefined ? `'${value.S.replaceAll("'", "''")}'` : JSON.stringify(value);
}

function keyOf({ primaryKey }: OutboxMapping): string {
  return primaryKey.map(({ name }) => `"${name}" = ?`).join(" AND ");
}
