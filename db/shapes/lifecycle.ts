import type { CatalogTable } from "../stores/port/catalog.ts";
import type { ColumnRole, MappedColumn, MarkedLifecycle } from "../stores/port/mapping.ts";
import type { TypeFamily } from "../stores/port/type-family.ts";
import { deletingLibraryOf } from "./deleting-libraries.ts";
import type { MappingOverrides, StatusList } from "./overrides.ts";
import { normalise, STATUS_WORDS } from "./vocabulary.ts";

/** Default limit of attempts, as in tutorials, for a table with an attempts column and no configured limit. */
const TUTORIAL_DEAD_ATTEMPTS = 10;
const LISTS: readonly StatusList[] = ["pending", "inFlight", "failed", "published", "dead", "expired"];

type Columns = Partial<Record<ColumnRole, MappedColumn>>;

export interface FoundLifecycle {
  lifecycle: MarkedLifecycle;
  /** Sentence: what the lifecycle lacks; the lifecycle is then `unknown`. Null if it lacks nothing. */
  missing: string | null;
}

/**
 * How the table marks published messages: a status column wins over a time, a time over a flag. Without any of them,
 * published rows count as deleted only if the configuration or a known library's table says so: a wrong guess would
 * publish every row again and delete it.
 */
export function lifecycleOf(input: {
  table: CatalogTable;
  columns: Columns;
  overrides: MappingOverrides;
}): FoundLifecycle {
  const { table, columns, overrides } = input;
  const found = (lifecycle: MarkedLifecycle): FoundLifecycle => ({ lifecycle, missing: null });
  const kind = overrides.lifecycle?.kind ?? defaultKind(table, columns, overrides);
  switch (kind) {
    case "status":
      return columns.status ? found(statusLifecycle(columns.status, table, overrides)) : withoutColumn(table, kind);
    case "timestamp":
    case "flag": {
      const column = columns.publishedAt;
      if (!column) return withoutColumn(table, kind);
      const isFlag = isBoolean(table, column);
      return isFlag === (kind === "flag") ? found({ kind, column }) : ofAnotherType(table, kind, column);
    }
    case "unknown":
      return missing(`No column of ${nameOf(table)} shows whether a message was published.`);
    default:
      return found({ kind });
  }
}

function defaultKind(table: CatalogTable, columns: Columns, overrides: MappingOverrides): MarkedLifecycle["kind"] {
  if (columns.status) return "status";
  if (columns.publishedAt) return isBoolean(table, columns.publishedAt) ? "flag" : "timestamp";
  if (overrides.unmarked) return overrides.unmarked;
  return deletingLibraryOf(table) === null ? "unknown" : "delete";
}

function familyOf(table: CatalogTable, { name }: MappedColumn): TypeFamily | undefined {
  return table.columns.find((column) => column.name === name)?.family;
}

function isBoolean(table: CatalogTable, column: MappedColumn): boolean {
  return familyOf(table, column) === "boolean";
}

function missing(sentence: string): FoundLifecycle {
  return { lifecycle: { kind: "unknown" }, missing: sentence };
}

function withoutColumn(table: CatalogTable, kind: MarkedLifecycle["kind"]): FoundLifecycle {
  const role = kind === "status" ? "status" : "publishedAt";
  return missing(
    `lifecycle.kind is ${kind}, but no column of ${nameOf(table)} was recognised for it; name it under columns.${role}.`,
  );
}

function ofAnotherType(table: CatalogTable, kind: MarkedLifecycle["kind"], column: MappedColumn): FoundLifecycle {
  return missing(`lifecycle.kind is ${kind}, but ${column.name} of ${nameOf(table)} is ${column.type}.`);
}

function nameOf({ schema, name }: CatalogTable): string {
  return `${schema}.${name}`;
}

function statusLifecycle(column: MappedColumn, table: CatalogTable, overrides: MappingOverrides): MarkedLifecycle {
  const configured = overrides.lifecycle;
  const declared = table.words[column.name];
  const words = inSpellingOf(defaultWordOf(table, column.name), declared ?? defaultWords(familyOf(table, column)));
  const lists = Object.fromEntries(
    LISTS.map((list) => [list, configured?.[list] ?? words.filter((word) => listOf(word) === list)]),
  ) as Record<StatusList, string[]>;
  return { kind: "status", column, ...lists, guessed: declared === undefined && configured?.dead === undefined };
}

/**
 * The status word of a new row, from the column's default, e.g. `'PENDING'`, in Postgres with its type behind it; it
 * shows the table's spelling.
 */
export function defaultWordOf(table: CatalogTable, column: string): string | undefined {
  const sql = table.columns.find((candidate) => candidate.name === column)?.defaultSql;
  return /^'([^']+)'(?:::|$)/.exec(sql ?? "")?.[1];
}

/** Sorts the default first, then words in its spelling: the first word of a list is the one we write. */
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

/** The usual words in upper, lower and mixed case, for a free-text status; other words stay unknown until mapped. */
function defaultWords(family: TypeFamily | undefined): string[] {
  if (family !== "text" && family !== "compact") return [];
  const base = Object.values(STATUS_WORDS).flat();
  const variants = base.flatMap((word) => [word.toUpperCase(), word, word.charAt(0).toUpperCase() + word.slice(1)]);
  return [...variants, "IN_PROGRESS", "in_progress", "IN_FLIGHT", "in_flight", "DEAD_LETTER", "dead_letter"];
}

export function deadAttemptsOf(columns: Columns): number | null {
  return columns.attempts ? TUTORIAL_DEAD_ATTEMPTS : null;
}
