import type { TableName } from "#db/stores/port/mapping.ts";
import type { OutboxFigures } from "#db/stores/port/outbox-figures.ts";
import { capitalize } from "#domain/format.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import type { OutboxHandle } from "../stores/handles.ts";

/** As the catalog had it, or as it is now. */
export function areRowsHidden({ catalog }: Pick<OutboxHandle, "catalog">, figures: RowSecurity): boolean {
  return catalog.rowSecurity || figures.rowSecurity.onRead;
}

/** True if row level security was changed since the catalog was read. */
export function hasRowSecurityChanged(
  { catalog }: Pick<OutboxHandle, "catalog">,
  { rowSecurity: { onRead, onWrite } }: RowSecurity,
): boolean {
  return catalog.rowSecurity !== onRead || catalog.rowSecurityOnWrite !== onWrite;
}

type RowSecurity = Pick<OutboxFigures, "rowSecurity">;

/** Clause: why nothing is known of a table. */
export function hiddenRows(table: TableName): string {
  return `row level security hides rows of ${table.schema}.${table.name} from the console's database user`;
}

/** Sentence: what row level security means for the figures of a table. */
export function rowSecurityWarning(table: TableName): string {
  return `${capitalize(hiddenRows(table))}, so the table's contents are unknown. \`${ourCommand("doctor")}\` prints the SQL that shows them.`;
}

/** Sentence: why a table is not acted on. `statement`: SQL that gives the user access to its rows. */
export function rowSecurityRefusal(table: TableName, input: { outbox: string; statement: string }): string {
  const remedy = input.statement.split("\n")[0];
  return `Row level security keeps rows of ${table.schema}.${table.name} (outbox ${input.outbox}) from the console's database user: a relay would miss them, or publish rows that it cannot mark. Give the user a policy for all rows, ${remedy} or set mode: observe.`;
}
