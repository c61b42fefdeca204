import type { TableName } from "../../port/mapping.ts";
import type { AccessMode } from "../../port/store.ts";
import { quoteIdentifier, quoteTable } from "../tables/mapping-sql.ts";

/** SQL that gives the user access to every row: a policy, or the attribute that only a superuser may grant. */
export function everyRowSql(table: TableName, user: string, mode: AccessMode): string {
  const role = quoteIdentifier(user);
  const policy =
    mode === "observe" ? `FOR SELECT TO ${role} USING (true)` : `TO ${role} USING (true) WITH CHECK (true)`;
  return `CREATE POLICY outbox_console ON ${quoteTable(table)} ${policy};\n-- or, by a superuser: ALTER ROLE ${role} BYPASSRLS;`;
}
