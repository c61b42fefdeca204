import type { CatalogTable } from "../catalog/read-catalog.ts";
import type { ColumnRole, Lifecycle, MappedColumn } from "../outbox/mapping.ts";
import type { MappingOverrides, StatusList } from "./recognise.ts";
import { normalise, STATUS_WORDS } from "./vocabulary.ts";

/** Attempts from which tutorials give up when the table has an attempts column and says nothing itself. */
const TUTORIAL_DEAD_ATTEMPTS = 10;
const LISTS: readonly StatusList[] = ["pending", "inFlight", "failed", "published", "dead", "expired"];

type Columns = Partial<Record<ColumnRole, MappedColumn>>;

/** How the table tells what was published: a status column before a time, a time before a flag, else its rows' existence. */
export function lifecycleOf(input: { table: CatalogTable; columns: Columns; overrides: MappingOverrides }): Lifecycle {
  const { table, columns, overrides } = input;
  const kind = overrides.lifecycle?.kind ?? defaultKind(columns);
  switch (kind) {
    case "status": {
      const column = columns.status;
      return column ? statusLifecycle(column, table, overrides) : { kind: "delete" };
    }
    case "timestamp":
    case "flag": {
      const column = columns.publishedAt;
      if (!column) return { kind: "delete" };
      return { kind: column.type === "boolean" ? "flag" : "timestamp", column };
    }
    default:
      return { kind };
  }
}

function defaultKind(columns: Columns): Lifecycle["kind"] {
  if (columns.status) return "status";
  return columns.publishedAt ? "timestamp" : "delete";
}

function statusLifecycle(column: MappedColumn, table: CatalogTable, overrides: MappingOverrides): Lifecycle {
  const configured = overrides.lifecycle;
  const declared = table.words[column.name];
  const words = inSpellingOf(defaultWordOf(table, column), declared ?? defaultWords(column));
  const lists = Object.fromEntries(
    LISTS.map((list) => [list, configured?.[list] ?? words.filter((word) => listOf(word) === list)]),
  ) as Record<StatusList, string[]>;
  return { kind: "status", column, ...lists, guessed: declared === undefined && configured?.dead === undefined };
}

/** The word a new row gets: `'PENDING'::character varying` says how this team spells. */
function defaultWordOf(table: CatalogTable, column: MappedColumn): string | undefined {
  const sql = table.columns.find((candidate) => candidate.name === column.name)?.defaultSql;
  return /^'([^']+)'::/.exec(sql ?? "")?.[1];
}

/** The default itself first, then words spelled like it: the first word of a list is the one that is written. */
function inSpellingOf(example: string | undefined, words: readonly string[]): string[] {
  if (example === undefined) return [...words];
  const rank = (word: string) => (word === example ? 0 : spellingOf(word) === spellingOf(example) ? 1 : 2);
  return [...words].sort((a, b) => rank(a) - rank(b));
}

export function spellingOf(word: string): "upper" | "lower" | "mixed" {
  if (word === word.toUpperCase()) return "upper";
  return word === word.toLowerCase() ? "lower" : "mixed";
}

function listOf(word: string): StatusList | undefined {
  const plain = normalise(word);
  return LISTS.find((list) => (STATUS_WORDS[list] as readonly string[]).includes(plain));
}

/** A free-text status: the usual words in upper and lower case; others stay unknown until they are mapped. */
function defaultWords(column: MappedColumn): string[] {
  if (!/^(text|character)/.test(column.type)) return [];
  const base = Object.values(STATUS_WORDS).flat();
  const variants = base.flatMap((word) => [word.toUpperCase(), word, word.charAt(0).toUpperCase() + word.slice(1)]);
  return [...variants, "IN_PROGRESS", "in_progress", "IN_FLIGHT", "in_flight", "DEAD_LETTER", "dead_letter"];
}

export function deadAttemptsOf(columns: Columns): number | null {
  return columns.attempts ? TUTORIAL_DEAD_ATTEMPTS : null;
}
