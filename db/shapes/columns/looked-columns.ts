import { type CatalogColumn, type CatalogTable, type NamedTable, spellingsOf } from "../../stores/port/catalog.ts";
import type { ColumnRole } from "../../stores/port/mapping.ts";
import { type InboxRole, inboxColumns } from "../inbox/inbox-columns.ts";
import { recogniseInbox } from "../inbox/recognise-inbox.ts";
import { judgeTable } from "../judge-table.ts";
import { assignRoles } from "./assign-roles.ts";

/** Columns by role of a table that is read, and what it is read as. */
export type ReadColumns =
  | { as: "inbox"; roles: Partial<Record<InboxRole, CatalogColumn>> }
  | { as: "outbox"; roles: Partial<Record<ColumnRole, CatalogColumn>> };

/** The tables with what the configuration says of them. */
export function asNamed(tables: readonly CatalogTable[], named: readonly NamedTable[]): CatalogTable[] {
  return tables.map((table) => {
    const spellings = spellingsOf(table);
    const of = named.filter(
      (one) => spellings.includes(one.table) || spellings.includes(one.table.replaceAll('"', "")),
    );
    const [first] = of;
    if (!first) return table;
    return { ...table, named: { as: first.as, columns: Object.assign({}, ...of.map(({ columns }) => columns)) } };
  });
}

/** Null for a table that is neither an outbox, named or recognised or perhaps one, nor an inbox. */
export function readColumns(table: CatalogTable): ReadColumns | null {
  const { named } = table;
  if (named?.as === "outbox") return { as: "outbox", roles: assignRoles(table, named.columns) };
  if (named?.as === "inbox" || recogniseInbox(table)) return { as: "inbox", roles: inboxColumns(table) };
  const { kind, roles } = judgeTable(table);
  return kind === "outbox" || kind === "candidate" ? { as: "outbox", roles } : null;
}
