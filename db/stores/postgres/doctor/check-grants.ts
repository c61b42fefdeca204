import type { Pool } from "pg";
import { ourCommand } from "#domain/text/our-command.ts";
import type { DoctorFinding } from "../../port/doctor.ts";
import type { TableName } from "../../port/mapping.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { AccessMode } from "../../port/store.ts";
import { quoteIdentifier, quoteTable } from "../tables/mapping-sql.ts";
import { lackingOnOwnTables, ownGrants } from "./own-table-grants.ts";

interface Granted {
  user: string;
  schemaUsage: boolean;
  read: boolean;
  write: boolean;
  storeSideThere: boolean;
  storeSideUsage: boolean;
}

const SQL = `
SELECT current_user AS user, has_schema_privilege($2, 'USAGE') AS "schemaUsage", has_table_privilege(c.oid, 'SELECT') AS read,
  has_table_privilege(c.oid, 'INSERT') AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE') AS write,
  EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = 'outbox_console') AS "storeSideThere",
  coalesce((SELECT has_schema_privilege(n.oid, 'USAGE') FROM pg_namespace n WHERE n.nspname = 'outbox_console'), true) AS "storeSideUsage"
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $2 AND c.relname = $1`;

/** Compares the rights of the store URL's user with what the outbox's mode needs. */
export async function checkGrants(pool: Pool, ref: OutboxRef, mode: AccessMode): Promise<DoctorFinding[]> {
  const { name, mapping } = ref;
  const granted = (await pool.query<Granted>(SQL, [mapping.table.name, mapping.table.schema])).rows[0];
  if (!granted) return [];
  const table = quoteTable(mapping.table);
  const user = quoteIdentifier(granted.user);
  const lacks = (what: string, fix: string) => ({ level: "bad" as const, text: `outbox ${name}: ${what}`, fix });
  const findings: DoctorFinding[] = [];
  if (!granted.schemaUsage) {
    const fix = `GRANT USAGE ON SCHEMA ${quoteIdentifier(mapping.table.schema)} TO ${user};`;
    findings.push(lacks(`${granted.user} may not use its schema (USAGE)`, fix));
  }
  if (!granted.read) findings.push(lacks(`${granted.user} may not read it`, `GRANT SELECT ON ${table} TO ${user};`));
  if (mode === "observe") return findings;
  if (granted.read && !granted.write)
    findings.push(
      lacks(`${granted.user} may not change its rows`, `GRANT INSERT, UPDATE, DELETE ON ${table} TO ${user};`),
    );
  if (granted.storeSideThere && !granted.storeSideUsage) {
    findings.push(lacks(`${granted.user} may not use the schema outbox_console`, ownGrants("outbox_console", user)));
    return findings;
  }
  const lacking = await lackingOnOwnTables(pool, { schema: "outbox_console", user: granted.user });
  if (lacking) findings.push(lacks(lacking.what, lacking.fix));
  // Without its version nothing says whether there is more to do.
  if (!ref.storeSide && lacking?.tables.includes("migration") !== true)
    findings.push(lacks("the schema outbox_console is missing or has another version", ourCommand("migrate")));
  return findings;
}

export function readGrantSql(table: TableName, user: string): string {
  const role = quoteIdentifier(user);
  return `GRANT USAGE ON SCHEMA ${quoteIdentifier(table.schema)} TO ${role};\nGRANT SELECT ON ${quoteTable(table)} TO ${role};`;
}
