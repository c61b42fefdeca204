import type { CatalogTable } from "../stores/port/catalog.ts";
import type { ColumnRole, TableName } from "../stores/port/mapping.ts";
import { inboxQuestion } from "./inbox/inbox-question.ts";
import { judgeTable } from "./judge-table.ts";
import { helpsOutbox, leftFrom, payloadBeside } from "./tables-beside.ts";

/** A table that may be an outbox, which a person has to say. */
export interface Candidate {
  table: TableName;
  /** 0 to 100. */
  score: number;
  evidence: string[];
  question: string;
  /** Columns as far as they were recognised. */
  columns: Partial<Record<ColumnRole, string>>;
}

/**
 * Near misses among tables that are neither outboxes nor inboxes; the likeliest first. `all`: every table of the store.
 */
export function candidates(
  tables: readonly CatalogTable[],
  all: readonly CatalogTable[] = tables,
): (Candidate & { catalog: CatalogTable })[] {
  const found = tables.flatMap((table) => {
    const judged = judgeTable(table);
    const { score, evidence, roles } = judged;
    const question = questionAbout(table, judged, all);
    if (question === null || (!roles.payload && helpsOutbox(table, all))) return [];
    const columns = Object.fromEntries(Object.entries(roles).map(([role, { name }]) => [role, name]));
    const asked = roles.payload ? question : `${question}${payloadBeside(table, all)}`;
    const name = { schema: table.schema, name: table.name };
    return [{ table: name, score, evidence, question: asked, columns, catalog: table }];
  });
  return found.toSorted((one, other) => other.score - one.score);
}

function questionAbout(
  table: CatalogTable,
  { kind, question }: ReturnType<typeof judgeTable>,
  tables: readonly CatalogTable[],
): string | null {
  if (kind !== "candidate" && kind !== "outbox") return null;
  const from = leftFrom(table, tables);
  if (!from) return kind === "candidate" ? question : null;
  return `${table.schema}.${table.name} has by its name the rows that have left ${from.schema}.${from.name}: does a relay publish them all the same?`;
}

export interface LeftAlone {
  table: TableName;
  /** Sentence; with `mayBeInbox` a question. */
  reason: string;
  /** It is an inbox once the configuration names it as one. */
  mayBeInbox?: true;
}

/**
 * Tables that resemble an outbox and are something else, with the reason, and those that a person may call an inbox.
 */
export function leftAlone(tables: readonly CatalogTable[]): LeftAlone[] {
  return tables.flatMap((catalog): LeftAlone[] => {
    const { kind, reason } = judgeTable(catalog);
    const table = { schema: catalog.schema, name: catalog.name };
    if (kind === "leftAlone" && reason !== null) return [{ table, reason }];
    const question = kind === "other" ? inboxQuestion(catalog) : null;
    return question === null ? [] : [{ table, reason: question, mayBeInbox: true }];
  });
}
