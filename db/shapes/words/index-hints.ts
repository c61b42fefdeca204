import type { CatalogTable } from "../../stores/port/catalog.ts";

export interface IndexHints {
  /** Columns that an index expects to be null: of the rows that someone looks for. */
  nulls: ReadonlySet<string>;
  /** Columns that it expects not to be null. */
  filled: ReadonlySet<string>;
  /** Columns that it expects to be false. */
  falses: ReadonlySet<string>;
  /** Words that it expects, by column. */
  words: ReadonlyMap<string, readonly string[]>;
}

const COLUMN = /(?:"((?:[^"]|"")+)"|([a-z_][a-z0-9_$]*))/.source;
const CAST = /(?:\)?::[a-z ]+(?:\(\d+\))?)?\)?/.source;

/** What the predicates of partial indexes say about the rows that wait: the best hint at how a table marks them. */
export function indexHintsOf({ indexes }: Pick<CatalogTable, "indexes">): IndexHints {
  const nulls = new Set<string>();
  const filled = new Set<string>();
  const falses = new Set<string>();
  const words = new Map<string, string[]>();
  for (const { predicate } of indexes) {
    // A disjunction says of no column alone what it expects.
    if (predicate === null || / OR /i.test(predicate)) continue;
    for (const column of named(predicate, `${COLUMN} IS NULL`)) nulls.add(column);
    for (const column of named(predicate, `${COLUMN} IS NOT NULL`)) filled.add(column);
    for (const column of named(predicate, `NOT \\(?${COLUMN}`)) if (!/ IS NOT NULL/.test(predicate)) falses.add(column);
    for (const column of named(predicate, `${COLUMN} (?:= false|IS FALSE|IS NOT TRUE)`)) falses.add(column);
    for (const match of predicate.matchAll(
      new RegExp(`\\(?${COLUMN}${CAST} = (ANY \\(.*?\\]|'(?:[^']|'')*'|-?\\d+)`, "gi"),
    )) {
      const column = match[1]?.replaceAll('""', '"') ?? match[2] ?? "";
      words.set(column, [...(words.get(column) ?? []), ...literalsIn(match[3] ?? "")]);
    }
  }
  return { nulls, filled, falses, words };
}

/** Text and numbers in SQL. */
export function literalsIn(sql: string): string[] {
  return [...sql.matchAll(/'((?:[^']|'')*)'|(?<![\w'])(-?\d+)(?![\w'])/g)].map((match) =>
    match[1] === undefined ? (match[2] ?? "") : match[1].replaceAll("''", "'"),
  );
}

function named(predicate: string, pattern: string): string[] {
  return [...predicate.matchAll(new RegExp(pattern, "gi"))].map(
    (match) => match[1]?.replaceAll('""', '"') ?? match[2] ?? "",
  );
}
