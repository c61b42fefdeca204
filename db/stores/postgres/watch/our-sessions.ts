/** Sessions of this program, by the application name that each of its pools carries. As a SQL predicate over `alias`. */
export function notOurSession(alias: string): string {
  return `(${alias}.application_name IS NULL OR ${alias}.application_name NOT LIKE 'outbox-console%')`;
}

/** A statement as people may see it: literals left out, because they may hold payloads, and cut to 200 characters. */
export function shownQuery(column: string): string {
  return `left(ltrim(regexp_replace(regexp_replace(left(${column}, 2000), '''(?:[^'']|'''')*(?:''|$)', '''…''', 'g'), '\\s+', ' ', 'g')), 200)`;
}

/** Ends a session, as a person would: its transaction is rolled back. */
export function endSessionSql(pid: number): string {
  return `SELECT pg_terminate_backend(${pid})`;
}
