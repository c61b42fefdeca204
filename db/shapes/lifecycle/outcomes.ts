import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import type { MappedColumn } from "../../stores/port/mapping.ts";
import type { Condition } from "../../stores/port/table-rules.ts";
import { plainName } from "../columns/plain-name.ts";
import { wordsOf } from "../words/name-words.ts";
import { patterns } from "../words/role-patterns.ts";
import { meaningOf } from "../words/status-words.ts";
import { isAnswerText } from "./answer-codes.ts";
import { codedFlagOf } from "./coded-flag.ts";
import { isNamed, toMapped } from "./row-marks.ts";
import { shownWords } from "./status-lifecycle.ts";
import { SUCCESS } from "./success-flag.ts";

const OUTCOME = patterns("10 outcome | send processed published last code");
const KINDS: readonly CatalogColumn["family"][] = ["text", "words"];

/** `ack_status`, `ack_code`: what the receiver said of a message that was sent. */
const isConfirmation = (table: Pick<CatalogTable, "columns">, column: CatalogColumn): boolean =>
  [...KINDS, "compact"].includes(column.family) &&
  /^(last)?(ack|acknowledge|acknowledgement|acknowledgment)(status|state|code|result|type)$/.test(
    wordsOf(plainName(table, column.name))
      .map(({ text }) => text)
      .join(""),
  );

/** Words and codes by which a receiver confirms a message; the codes are those of HL7. */
const CONFIRMED = ["ACK", "Ack", "ack", "ACKED", "OK", "ok", "AA", "CA"];

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
        isConfirmation(table, column) ||
        (column.family !== "boolean" && isNamed(table, column, SUCCESS))),
  );
}

/** Letters or words of success, such as `success varchar(5)`. */
export const successColumns = (
  table: Pick<CatalogTable, "columns">,
  roles: Readonly<Record<string, { name: string } | undefined>>,
): CatalogColumn[] =>
  outcomeColumns(table, roles).filter(
    (column) => ["text", "compact"].includes(column.family) && isNamed(table, column, SUCCESS),
  );

/** `SKIPPED`, `IGNORED`, `DUPLICATE`: somebody decided not to process it. */
export const saysWithdrawn = (word: string): boolean =>
  wordsOf(word).some(({ concepts }) => concepts.includes("withdrawn"));

export interface Outcome {
  column: MappedColumn;
  /** True of a row whose word is not known to mean success. */
  doubted: Condition<MappedColumn>;
  says: string;
}

/**
 * The words of `result` or `outcome` beside a published time or flag: a row that has one which is not known to mean
 * success need not have been sent. Null where no word that is shown means anything, such as a broker's answer.
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
        column: toMapped(column, zone),
        doubted: { all: [{ column: toMapped(column, zone), is: "set" }, { not: flag.isOn }] },
        says: `${column.name} says that it failed`,
      };
    const isReply = isConfirmation(table, column);
    if (!isReply && words.every((word) => meaningOf(word) === undefined && !saysWithdrawn(word))) continue;
    const mapped = toMapped(column, zone);
    const usual = isReply && column.family !== "words" ? CONFIRMED : [];
    const good = [...new Set([...words.filter((word) => meaningOf(word) === "published"), ...usual])];
    const isGood = good.length > 0 ? [{ not: { column: mapped, in: good } }] : [];
    return {
      column: mapped,
      doubted: { all: [{ column: mapped, is: "set" }, ...isGood] },
      says: isReply
        ? `${column.name} has an answer that does not confirm it`
        : `${column.name} is set${good.length > 0 ? ` and not ${good.join(" or ")}` : ""}`,
    };
  }
  return null;
}
