import type { CatalogTable } from "../stores/port/catalog.ts";
import type { MarkedLifecycle } from "../stores/port/mapping.ts";
import type { MappingOverrides } from "./overrides.ts";

interface Asked {
  table: CatalogTable;
  lifecycle: MarkedLifecycle;
  overrides: MappingOverrides;
}

/**
 * The question a person must answer before anyone acts on a table recognised by its column names: which column marks a
 * message as published, and with which words. Null once the configuration names them.
 */
export function questionOf(asked: Asked): string | null {
  const { lifecycle, overrides } = asked;
  switch (lifecycle.kind) {
    case "unknown":
      return "Which column marks a message as published?";
    case "delete":
      return overrides.lifecycle?.kind === "delete" || overrides.unmarked === "delete"
        ? null
        : "Does the relay of this table delete a row once it is published?";
    case "log":
      return null;
    case "status":
      return statusQuestion(lifecycle, asked);
    default:
      return overrides.columns.publishedAt === lifecycle.column.name
        ? null
        : `Does ${lifecycle.column.name} really mark a message as published?`;
  }
}

/** Configured words show that a person has checked the column. Words listed in the catalog do not say what they mean. */
function statusQuestion(lifecycle: Extract<MarkedLifecycle, { kind: "status" }>, asked: Asked): string | null {
  const { table, overrides } = asked;
  const { name } = lifecycle.column;
  const words = overrides.lifecycle;
  const wordsWritten = words?.pending !== undefined && words.published !== undefined;
  const named = overrides.columns.status === name || wordsWritten;
  if (!named) return `Does ${name} really mark a message as published?`;
  if (!wordsWritten && table.words[name] === undefined) return `Which words of ${name} mean pending and published?`;
  if (lifecycle.pending.length === 0) return `Which word of ${name} means pending?`;
  return lifecycle.published.length === 0 ? `Which word of ${name} means published?` : null;
}
