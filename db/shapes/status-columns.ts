import type { CatalogTable } from "../stores/port/catalog.ts";
import { inboxColumns } from "./inbox-columns.ts";
import { judgeTable } from "./judge-table.ts";
import { recogniseInbox } from "./recognise-inbox.ts";

export interface StatusColumn {
  table: CatalogTable;
  column: string;
}

const CODES: readonly string[] = ["text", "compact", "smallint", "integer"];

/** Status columns of outboxes, candidates and inboxes whose values neither a type nor a CHECK lists. */
export function statusColumns(tables: readonly CatalogTable[]): StatusColumn[] {
  return tables.flatMap((table) => {
    const status = statusOf(table);
    const isOpen = status && CODES.includes(status.family) && table.words[status.name] === undefined;
    return isOpen ? [{ table, column: status.name }] : [];
  });
}

function statusOf(table: CatalogTable) {
  if (recogniseInbox(table)) return inboxColumns(table).status;
  const { kind, roles } = judgeTable(table);
  return kind === "outbox" || kind === "candidate" ? roles.status : undefined;
}
