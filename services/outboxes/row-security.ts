import { quoteIdentifier, quoteTable } from "#db/stores/postgres/tables/mapping-sql.ts";

interface TableName {
  schema: string;
  name: string;
}

/** Why nothing is known of a table, as a clause. */
export function hiddenRows(table: TableName): string {
  return `row level security hides rows of ${table.schema}.${table.name} from the console's database user`;
}

/** What row level security means for every figure of a table. */
export function rowSecurityWarning(table: TableName): string {
  return `${sentenceStart(hiddenRows(table))}: what it holds is not known. \`npm run doctor\` prints the SQL that shows them.`;
}

function sentenceStart(clause: string): string {
  return clause.charAt(0).toUpperCase() + clause.slice(1);
}

/** Why a table is not acted on. */
export function rowSecurityRefusal(table: TableName, input: { outbox: string; user: string }): string {
  const remedy = rowSecurityRemedy(table, input.user, "operate").split("\n")[0];
  return `Row level security keeps rows of ${table.schema}.${table.name} (outbox ${input.outbox}) from the console's database user: a relay would pass over them, or publish what it cannot mark. Give the user a policy for every row, ${remedy} or set mode: observe.`;
}

/** SQL that opens every row to the user: a policy, or the attribute that only a superuser may give. */
export function rowSecurityRemedy(table: TableName, user: string, mode: "observe" | "operate" | "relay"): string {
  const role = quoteIdentifier(user);
  const policy =
    mode === "observe" ? `FOR SELECT TO ${role} USING (true)` : `TO ${role} USING (true) WITH CHECK (true)`;
  return `CREATE POLICY outbox_console ON ${quoteTable(table)} ${policy};\n-- or, by a superuser: ALTER ROLE ${role} BYPASSRLS;`;
}
