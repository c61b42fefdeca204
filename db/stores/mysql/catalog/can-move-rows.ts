import type { TableName } from "../../port/mapping.ts";
import { isForbidden } from "../connection/database-error.ts";
import type { Session } from "../connection/session.ts";

/** What a table has that a row which leaves it would meet. */
export interface Hindrances {
  /** Another table references its rows. */
  referenced: boolean;
  /** Events on which triggers run. */
  triggers: readonly string[];
  /** The server dates its rows, and keeps those that were deleted. */
  dated: boolean;
}

/**
 * Clause for the capabilities page: why rows must not be moved out of the table; null if they may. MySQL shows a user
 * only references from tables that he may use; with PROCESS also the others.
 */
export async function whyRowsCannotMove(session: Session, table: TableName): Promise<string | null> {
  const { referenced, triggers, dated } = await readHindrances(session, table);
  if (referenced) return REFERENCED;
  if (triggers.includes("INSERT") || triggers.includes("DELETE")) return "it has triggers that run on insert or delete";
  return dated ? "the server dates its rows in columns of its own, so a row would come back with another time" : null;
}

export const REFERENCED = "another table references its rows by a foreign key";

export async function readHindrances(session: Session, { schema, name }: TableName): Promise<Hindrances> {
  const [found] = await session.rows(
    `SELECT EXISTS (SELECT 1 FROM information_schema.referential_constraints WHERE unique_constraint_schema = ? AND referenced_table_name = ?),
       (SELECT GROUP_CONCAT(event_manipulation) FROM information_schema.triggers WHERE event_object_schema = ? AND event_object_table = ?),
       EXISTS (SELECT 1 FROM information_schema.columns WHERE table_schema = ? AND table_name = ? AND generation_expression IN ('ROW START', 'ROW END'))`,
    [schema, name, schema, name, schema, name],
  );
  const [referenced, triggers, dated] = found ?? [];
  return {
    referenced: referenced === "1" || (await isReferencedUnseen(session, { schema, name })),
    triggers: (triggers ?? "").split(","),
    dated: dated === "1",
  };
}

/** References from tables that the user may not use. False where the user may not see them either. */
async function isReferencedUnseen(session: Session, { schema, name }: TableName): Promise<boolean> {
  const foreign = session.server.flavor === "mariadb" ? "innodb_sys_foreign" : "innodb_foreign";
  try {
    const [row] = await session.rows(`SELECT EXISTS (SELECT 1 FROM information_schema.${foreign} WHERE ref_name = ?)`, [
      `${schema}/${name}`,
    ]);
    return row?.[0] === "1";
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  }
}
