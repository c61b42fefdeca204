export type PolicyCommand = "SELECT" | "INSERT" | "UPDATE" | "DELETE";

export const READ_COMMANDS: readonly PolicyCommand[] = ["SELECT"];
/** What a relay and an operator's action need. */
export const WRITE_COMMANDS: readonly PolicyCommand[] = ["SELECT", "INSERT", "UPDATE", "DELETE"];

/** How pg_policy names commands; a policy FOR ALL has `*`. */
const COMMANDS: Record<PolicyCommand, string> = { SELECT: "r", INSERT: "a", UPDATE: "w", DELETE: "d" };

const OPEN = "'true'";
const using = "pg_get_expr(p.polqual, p.polrelid)";
const withCheck = "pg_get_expr(p.polwithcheck, p.polrelid)";

/**
 * SQL: true if row level security hides rows of table `c` from this session's user for any of the commands. That is so
 * if it is active and the user has no policy that opens every row, or has a restrictive one. A policy with a condition
 * counts as hiding rows: whether every row meets it is unknown here.
 */
export function rowSecuritySql(commands: readonly PolicyCommand[]): string {
  const letters = commands.map((command) => `'${COMMANDS[command]}'`).join(", ");
  const opens = `p.polpermissive AND (command = 'a' OR ${using} = ${OPEN}) AND (command IN ('r', 'd') OR coalesce(${withCheck}, ${using}) = ${OPEN})`;
  const ofUser = "EXISTS (SELECT 1 FROM unnest(p.polroles) r WHERE r = 0 OR pg_has_role(current_user, r, 'USAGE'))";
  return `(row_security_active(c.oid) AND EXISTS (SELECT 1 FROM unnest(ARRAY[${letters}]) command WHERE NOT coalesce(
    (SELECT bool_and(p.polpermissive) AND bool_or(${opens}) FROM pg_policy p
     WHERE p.polrelid = c.oid AND p.polcmd::text IN ('*', command) AND ${ofUser}), false)))`;
}
