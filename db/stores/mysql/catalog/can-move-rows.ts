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
       EXISTS (SELECT 1 FROM information_schema.triggers WHERE event_object_schema = ? AND event_object_table = ? AND event_manipulation IN ('INSERT', 'DELETE'))`,
    [schema, name, schema, name],
  );
  const [referenced, triggers] = references ?? [];
  if (referenced === "1" || (await isReferencedUnseen(session, { schema, name })))
    return "another table references its rows by a foreign key";
  return triggers === "1" ? "it has triggers that run on insert or delete" : null;
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
