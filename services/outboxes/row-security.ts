import type { TableName } from "#db/stores/port/mapping.ts";

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

/** Why a table is not acted on. `statement` is what opens its rows to the user. */
export function rowSecurityRefusal(table: TableName, input: { outbox: string; statement: string }): string {
  const remedy = input.statement.split("\n")[0];
  return `Row level security keeps rows of ${table.schema}.${table.name} (outbox ${input.outbox}) from the console's database user: a relay would pass over them, or publish what it cannot mark. Give the user a policy for every row, ${remedy} or set mode: observe.`;
}
