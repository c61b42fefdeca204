import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import type { Condition } from "../../stores/port/table-rules.ts";
import { patterns } from "../words/role-patterns.ts";
import { meaningOf } from "../words/status-words.ts";
import { isAnswerText } from "./answer-codes.ts";
import { codedFlagOf } from "./coded-flag.ts";
import { isNamed, toMapped } from "./row-marks.ts";
import { shownWords } from "./status-lifecycle.ts";
import { SUCCESS } from "./success-flag.ts";

const OUTCOME = patterns("10 outcome | send processed published last code");
const KINDS: readonly CatalogColumn["family"][] = ["text", "words"];

/** Columns by whose names a word says how it went. */
export function outcomeColumns(
  table: Pick<CatalogTable, "columns">,
  roles: Readonly<Record<string, { name: string } | undefined>>,
): CatalogColumn[] {
  const taken = new Set(Object.values(roles).map((role) => role?.name));
  return table.columns.filter(
    (column) =>
      !taken.has(column.name) &&
      ((KINDS.includes(column.family) && isNamed(table, column, OUTCOME)) ||
        isAnswerText(table, column) ||
        (column.family !== "boolean" && isNamed(table, column, SUCCESS))),
  );
}

export interface Outcome {
  /** True of a row whose word is not known to mean success. */
  doubted: Condition<ReturnType<typeof toMapped>>;
  says: string;
}

/**
 * The words of `result` or `outcome` beside a published time or flag: a row that has one which is not known to mean success
 * need not have been sent. Null where no word that is shown means anything, such as a broker's answer.
 */
export function outcomeOf(
  table: CatalogTable,
  roles: Readonly<Record<string, { name: string } | undefined>>,
  zone: string,
): Outcome | null {
  for (const column of outcomeColumns(table, roles)) {
    const words = shownWords(table, column.name);
    const flag = isNamed(table, column, SUCCESS) ? codedFlagOf(table, column, toMapped(column, zone)) : null;
    if (flag)
      return {
        doubted: { all: [{ column: toMapped(column, zone), is: "set" }, { not: flag.isOn }] },
        says: `${column.name} says that it failed`,
      };
    if (words.every((word) => meaningOf(word) === undefined)) continue;
    const mapped = toMapped(column, zone);
    const good = words.filter((word) => meaningOf(word) === "published");
    const isGood = good.length > 0 ? [{ not: { column: mapped, in: good } }] : [];
    return {
      doubted: { all: [{ column: mapped, is: "set" }, ...isGood] },
      says: `${column.name} is set${good.length > 0 ? ` and not ${good.join(" or ")}` : ""}`,
    };
  }
  return null;
}
