import { randomUUID } from "node:crypto";
import type { CatalogColumn, CatalogTable } from "#db/stores/port/catalog.ts";
import type { Lifecycle } from "#db/stores/port/mapping.ts";
import type { Condition } from "#db/stores/port/table-rules.ts";

type Rules = Extract<Lifecycle, { kind: "rules" }>;

/** An INSERT of random values in every column, of those that the lifecycle speaks of where it names any. */
export function randomInsert(table: CatalogTable, lifecycle: Lifecycle, random: () => number): string {
  const columns = table.columns.filter((column) => !column.generated && !column.identity);
  const values = columns.map((column) => randomValue(column, table, spokenBy(lifecycle, column.name), random));
  const names = columns.map(({ name }) => `"${name.replaceAll('"', '""')}"`);
  return `INSERT INTO "${table.schema}"."${table.name.replaceAll('"', '""')}" (${names.join(", ")}) VALUES (${values.join(", ")})`;
}

function randomValue(column: CatalogColumn, table: CatalogTable, spoken: Spoken, random: () => number): string {
  const one = <Value>(of: readonly Value[]): Value => of[Math.floor(random() * of.length)] as Value;
  const isKey = [table.primaryKey, ...table.uniqueKeys].flat().includes(column.name);
  if (column.type.endsWith("[]")) return "'{}'";
  if (column.nullable && !isKey && random() < 0.25) return "NULL";
  const text = (value: string) => `'${value}'`;
  if (column.type === "date") return one(["current_date - 2", "current_date"]);
  if (column.type === "bit(1)") return one(["B'0'", "B'1'"]);
  if (column.type === "double precision") return one(["0", "1751362530.5"]);
  const ofType = OF_TYPE[column.type];
  if (ofType !== undefined) return ofType;
  switch (column.family) {
    case "boolean":
      return one(["true", "false"]);
    case "instant":
    case "datetime":
      return one(["now() - interval '2 days'", "now() - interval '1 second'", "now() + interval '1 hour'"]);
    case "words":
      return text(one(table.words[column.name] ?? spoken.words));
    case "smallint":
    case "integer":
    case "bigint":
    case "decimal":
      return isKey ? String(Math.floor(random() * 30_000)) : String(one([0, 1, 2, 3, 9, 10, 50, ...spoken.numbers]));
    case "uuid":
      return text(randomUUID());
    case "json":
      return "'{}'";
    case "binary":
      return "'\\x00'";
    default:
      return text(isKey ? randomUUID().slice(0, 8) : one(["", "odd", ...(table.words[column.name] ?? spoken.words)]));
  }
}

/** Of types that take no word. */
const OF_TYPE: Readonly<Record<string, string>> = {
  tstzrange: "'(,)'",
  daterange: "'(,)'",
  xid8: "'1'",
  interval: "'1 day'",
  xml: "'<a/>'",
  "bit(3)": "B'001'",
};

interface Spoken {
  words: string[];
  numbers: number[];
}

function spokenBy(lifecycle: Lifecycle, column: string): Spoken {
  if (lifecycle.kind === "rules") return spokenOf(lifecycle, column);
  if (lifecycle.kind !== "status" || lifecycle.column.name !== column) return { words: [], numbers: [] };
  const { pending, inFlight, failed, published, dead, expired } = lifecycle;
  const words = [pending, inFlight, failed, published, dead, expired].flatMap((list) =>
    list.filter((word) => word !== null).slice(0, 2),
  );
  return { words, numbers: words.filter((word) => /^\d+$/.test(word)).map(Number) };
}

/** The values with which the rules compare a column. */
function spokenOf({ states, verbs }: Rules, column: string): Spoken {
  const { waiting, dead, published, expired, failed, claim } = states;
  const conditions = [waiting, dead, published, expired, failed, claim?.marked].filter((one) => one !== undefined);
  const compared = conditions.flatMap((condition) => valuesOf(condition, column));
  const written = [verbs.retry, verbs["dead-letter"]].flatMap((verb) =>
    "set" in verb
      ? verb.set.flatMap(({ column: { name }, to }): (string | number)[] =>
          name === column && typeof to === "object"
            ? "word" in to
              ? [to.word]
              : "number" in to
                ? [to.number]
                : []
            : [],
        )
      : [],
  );
  const all = [...new Set([...compared, ...written])];
  return {
    words: all.filter((value) => typeof value === "string"),
    numbers: all.filter((value) => typeof value === "number"),
  };
}

function valuesOf(condition: Condition<{ name: string }>, column: string): (string | number)[] {
  if ("all" in condition) return condition.all.flatMap((one) => valuesOf(one, column));
  if ("any" in condition) return condition.any.flatMap((one) => valuesOf(one, column));
  if ("not" in condition) return valuesOf(condition.not, column);
  if (!("column" in condition) || condition.column.name !== column) return [];
  if ("in" in condition) return [...condition.in];
  return "atLeast" in condition ? [condition.atLeast - 1, condition.atLeast] : [];
}
