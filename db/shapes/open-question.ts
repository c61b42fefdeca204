import type { CatalogTable } from "../stores/port/catalog.ts";
import type { Lifecycle } from "../stores/port/mapping.ts";
import type { MappingOverrides } from "./overrides.ts";

interface Asked {
  table: CatalogTable;
  lifecycle: Lifecycle;
  overrides: MappingOverrides;
}

/**
 * What a person must confirm before anyone acts on a table that was read by its column names: which column tells that a
 * message was published, and by which words. Null once the configuration names them.
 */
export function questionOf(asked: Asked): string | null {
  const { lifecycle, overrides } = asked;
  switch (lifecycle.kind) {
    case "unknown":
      return "Which column says that a message was published?";
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
        : `Is ${lifecycle.column.name} really what says that a message was published?`;
  }
}

/** Whoever writes the words down has looked at the column; a catalog that lists words does not say what they mean. */
function statusQuestion(lifecycle: Extract<Lifecycle, { kind: "status" }>, asked: Asked): string | null {
  const { table, overrides } = asked;
  const { name } = lifecycle.column;
  const words = overrides.lifecycle;
  const wordsWritten = words?.pending !== undefined && words.published !== undefined;
  const named = overrides.columns.status === name || wordsWritten;
  if (!named) return `Is ${name} really what says that a message was published?`;
  if (!wordsWritten && table.words[name] === undefined) return `Which words of ${name} mean pending and published?`;
  if (lifecycle.pending.length === 0) return `Which word of ${name} means pending?`;
  return lifecycle.published.length === 0 ? `Which word of ${name} means published?` : null;
}
