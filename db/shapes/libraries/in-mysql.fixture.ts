import type { LibraryCase } from "./library-case.fixture.ts";

/** The same case over MySQL, whose names are quoted otherwise. */
export function inMysql(one: LibraryCase, ddl: string, table = one.table): LibraryCase {
  const quoted = (sql: string) => sql.replaceAll('"', "`").replaceAll(one.table.replaceAll('"', "`"), table);
  return {
    ...one,
    ddl: { mysql: ddl },
    table,
    rows: one.rows.map((row) => ({ ...row, insert: quoted(row.insert) })),
    claims: one.claims === null ? null : quoted(one.claims),
    ...(one.takesRetried === undefined ? {} : { takesRetried: quoted(one.takesRetried) }),
  };
}
