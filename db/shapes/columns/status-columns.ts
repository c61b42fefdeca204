import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import { inboxColumns } from "../inbox/inbox-columns.ts";
import { recogniseInbox } from "../inbox/recognise-inbox.ts";
import { judgeTable } from "../judge-table.ts";
import { outcomeColumns } from "../lifecycle/outcomes.ts";

export interface StatusColumn {
  table: CatalogTable;
  column: string;
}

const CODES: readonly string[] = ["text", "compact", "smallint", "integer"];

/** Status columns of outboxes, candidates and inboxes whose values neither a type nor a CHECK lists. */
export function statusColumns(tables: readonly CatalogTable[]): StatusColumn[] {
  return tables.flatMap((table) =>
    wordColumns(table)
      .filter(({ name, family }) => CODES.includes(family) && table.words[name] === undefined)
      .map(({ name }) => ({ table, column: name })),
  );
}

/** The status, or without one the outcome of what the mark of an outbox or an inbox says. */
function wordColumns(table: CatalogTable): CatalogColumn[] {
  if (recogniseInbox(table)) {
    const columns = inboxColumns(table);
    return columns.status ? [columns.status] : outcomeColumns(table, columns);
  }
  const { kind, roles } = judgeTable(table);
  if (kind !== "outbox" && kind !== "candidate") return [];
  return roles.status ? [roles.status] : outcomeColumns(table, roles);
}
