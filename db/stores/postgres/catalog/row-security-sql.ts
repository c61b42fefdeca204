export type PolicyCommand = "SELECT" | "INSERT" | "UPDATE" | "DELETE";

/** How pg_policy names commands; a policy FOR ALL has `*`. */
const COMMANDS: Record<PolicyCommand, string> = { SELECT: "r", INSERT: "a", UPDATE: "w", DELETE: "d" };

const OPEN = "'true'";
const using = "pg_get_expr(p.polqual, p.polrelid)";
const withCheck = "pg_get_expr(p.polwithcheck, p.polrelid)";

/**
 * SQL that is true when row level security keeps rows of table `c` from this session's user for one of the commands: it is
 * in force, and no policy of that user opens every row, or one restricts them. A policy with a condition counts as
 * restricting: whether every row fulfils it cannot be known from here.
 */
export function rowSecuritySql(commands: readonly PolicyCommand[]): string {
  const letters = commands.map((command) => `'${COMMANDS[command]}'`).join(", ");
  const opens = `p.polpermissive AND (command = 'a' OR ${using} = ${OPEN}) AND (command IN ('r', 'd') OR coalesce(${withCheck}, ${using}) = ${OPEN})`;
  const ofUser = "EXISTS (SELECT 1 FROM unnest(p.polroles) r WHERE r = 0 OR pg_has_role(current_user, r, 'USAGE'))";
  return `(row_security_active(c.oid) AND EXISTS (SELECT 1 FROM unnest(ARRAY[${letters}]) command WHERE NOT coalesce(
    (SELECT bool_and(p.polpermissive) AND bool_or(${opens}) FROM pg_policy p
     WHERE p.polrelid = c.oid AND p.polcmd::text IN ('*', command) AND ${ofUser}), false)))`;
}
