import type { Pool } from "pg";
import { lacksOnTables, type TableRights } from "#db/stores/shared/own-tables/lacking-rights.ts";
import { quoteIdentifier } from "../tables/mapping-sql.ts";

/** The rights that docs/operating.md asks for. Entries of an audit stay; of the migrations the version is only read. */
const SQL = `
SELECT c.relname AS "table", array_agg(needed.privilege ORDER BY needed.place) AS rights
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace,
  unnest(CASE c.relname WHEN 'audit' THEN ARRAY['SELECT', 'INSERT'] WHEN 'migration' THEN ARRAY['SELECT']
    ELSE ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE'] END) WITH ORDINALITY AS needed(privilege, place)
WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT has_table_privilege(c.oid, needed.privilege)
GROUP BY 1 ORDER BY 1`;

/**
 * The rights that the user lacks on tables of a schema of ours, as after an upgrade that added one; null if none. Grants
 * on all tables of a schema do not hold for those that are added later.
 */
export async function lackingOnOwnTables(
  pool: Pool,
  { schema, user }: { schema: string; user: string },
): Promise<{ what: string; fix: string; tables: string[] } | null> {
  const { rows } = await pool.query<TableRights>(SQL, [schema]);
  if (rows.length === 0) return null;
  const said = lacksOnTables(rows, {
    ...{ user, account: quoteIdentifier(user), place: schema },
    quoted: (table) => `${schema}.${quoteIdentifier(table)}`,
  });
  return { ...said, tables: rows.map(({ table }) => table) };
}

/** `user`: quoted. */
export function ownGrants(schema: string, user: string): string {
  return [
    `GRANT USAGE ON SCHEMA ${schema} TO ${user};`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${user};`,
    `REVOKE UPDATE, DELETE ON ${schema}.audit FROM ${user};`,
  ].join("\n");
}
