import type { TableName } from "../../port/mapping.ts";
import { isForbidden } from "../connection/database-error.ts";
import type { Session } from "../connection/session.ts";

/**
 * Clause for the capabilities page: why rows must not be moved out of the table; null if they may. MySQL shows a user
 * only references from tables that he may use; with PROCESS also the others.
 */
export async function whyRowsCannotMove(session: Session, { schema, name }: TableName): Promise<string | null> {
  const [references] = await session.rows(
    `SELECT EXISTS (SELECT 1 FROM information_schema.referential_constraints WHERE unique_constraint_schema = ? AND referenced_table_name = ?),
       EXISTS (SELECT 1 FROM information_schema.triggers WHERE event_object_schema = ? AND event_object_table = ? AND event_manipulation IN ('INSERT', 'DELETE')),
       EXISTS (SELECT 1 FROM information_schema.columns WHERE table_schema = ? AND table_name = ? AND generation_expression IN ('ROW START', 'ROW END'))`,
    [schema, name, schema, name, schema, name],
  );
  const [referenced, triggers, dated] = references ?? [];
  if (referenced === "1" || (await isReferencedUnseen(session, { schema, name })))
    return "another table references its rows by a foreign key";
  if (triggers === "1") return "it has triggers that run on insert or delete";
  return dated === "1"
    ? "the server dates its rows in columns of its own, so a row would come back with another time"
    : null;
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
