import { quoteLiteral } from "../tables/mapping-sql.ts";

/** SQL predicate over `alias`: true for sessions of other programs, recognised by application name. */
export function notOurSession(alias: string): string {
  return `(${alias}.application_name IS NULL OR ${alias}.application_name NOT LIKE 'outbox-console%')`;
}

/** A statement for display: without literals, because they may contain payloads, and cut to 200 characters. */
export function shownQuery(column: string): string {
  return `left(ltrim(regexp_replace(regexp_replace(left(${column}, 2000), '''(?:[^'']|'''')*(?:''|$)', '''…''', 'g'), '\\s+', ' ', 'g')), 200)`;
}

/** SQL that ends a session; its transaction is rolled back. */
export function endSessionSql(pid: number): string {
  return `SELECT pg_terminate_backend(${pid})`;
}

/** The same of a prepared transaction, which has no session: `pid` is null then. */
export function endTransactionSql(pid: number | null, preparedId: string | null): string {
  return pid === null ? `ROLLBACK PREPARED ${quoteLiteral(preparedId ?? "")}` : endSessionSql(pid);
}
