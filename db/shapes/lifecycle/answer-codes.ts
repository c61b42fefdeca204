import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import type { MappedColumn } from "../../stores/port/mapping.ts";
import type { Condition, NewValue } from "../../stores/port/table-rules.ts";
import { plainName } from "../columns/plain-name.ts";
import { wordsOf } from "../words/name-words.ts";
import { toMapped } from "./row-marks.ts";
import { defaultWordOf, shownWords } from "./status-lifecycle.ts";

const CODE = "(?:status|code|cd|statuscode|statuscd|codigo|kod)";
const ANSWER =
  "(?:http|response|resp|rsp|reply|webhook|antwort|respuesta|resposta|reponse|risposta|odpowiedz|odpowiedzi|odpowied)";
const RETURN = "(?:return|ret|exit|rueckgabe|retorno|retour|ritorno)";
const RESULT = "(?:result|outcome|ergebnis|resultado|resultat|esito|wynik|wyniku)";
const ERROR = "(?:error|err|fehler|erro|erreur|errore|blad|bledu|fault|failure|nack|nak|bounce)";
const OF = "(?:de|da|do|du|di|of)?";
const named = (what: string, { code = CODE, more = "" } = {}) =>
  new RegExp(`^(?:last)?(?:${what}+${code}+|${code}${OF}${what}${more})$`);

/**
 * What the receiver answered, what a program returned, the number of an error, and a number that says how it went, of a
 * meaning that is not known.
 */
const KINDS = {
  answer: named(ANSWER),
  returned: named(RETURN, { more: "|sqlcode" }),
  error: named(ERROR, { code: "(?:code|cd|codigo|kod|no|nr|num|level|lvl)", more: "|errno" }),
  result: named(RESULT, { more: `|(?:last)?(?:${RESULT}|rc)` }),
} as const;
type Kind = keyof typeof KINDS;
const NUMBERS: readonly CatalogColumn["family"][] = ["smallint", "integer", "bigint", "decimal"];
const TEXTS: readonly CatalogColumn["family"][] = ["text", "compact"];
const ANSWERED_WELL = ["200", "201", "202", "203", "204", "205", "206", "207", "208", "226"];

export interface AnswerCode {
  column: MappedColumn;
  /** True of a row whose code is not known to mean success. */
  doubted: Condition<MappedColumn>;
  /**
   * Such a code says that the receiver refused the message, or of which kind the last error was, or nobody knows what.
   */
  means: "answer" | "error" | "nothing";
  /** What a new row has; null where nothing may be written. */
  cleared: NewValue | null;
  says: string;
}

const SUCCESS = { answer: "from 200 to 299", returned: "0", error: "0", result: null } as const;
const NO_ERROR = ["0", "00", "000", "0000", "00000", "OK", "ok", "NONE", "none"];

/** A number beside the mark by which the last attempt ended, such as `http_status`, `response_code` or `exit_code`. */
export function answerCodeOf(
  table: CatalogTable,
  roles: Readonly<Record<string, { name: string } | undefined>>,
  zone: string,
): AnswerCode | null {
  const taken = new Set(Object.values(roles).map((role) => role?.name));
  for (const column of table.columns) {
    const kind = taken.has(column.name) || column.generated ? null : kindOf(table, column);
    if (kind !== null && isCode(table, column, kind)) return codeOf(table, column, kind, zone);
  }
  return null;
}

/** `http_status`, `response_code`: what the receiver answered. */
export const isAnswer = (table: Pick<CatalogTable, "columns">, column: CatalogColumn): boolean =>
  kindOf(table, column) === "answer";

/** `response_status text`: a text of a number, or a word. */
export const isAnswerText = (table: Pick<CatalogTable, "columns">, column: CatalogColumn): boolean =>
  TEXTS.includes(column.family) && kindOf(table, column) === "answer";

function isCode(table: CatalogTable, { name, family }: CatalogColumn, kind: Kind): boolean {
  const words = shownWords(table, name).filter((word) => word.trim() !== "");
  if (kind === "error") return true;
  return NUMBERS.includes(family) || (words.length > 0 && words.every((word) => /^\d+$/.test(word)));
}

function kindOf(table: Pick<CatalogTable, "columns">, column: CatalogColumn): Kind | null {
  const { name, family, nullable, defaultSql } = column;
  const isText = TEXTS.includes(family);
  if (!isText && !NUMBERS.includes(family)) return null;
  const joined = wordsOf(plainName(table, name))
    .map(({ text }) => text)
    .join("");
  // A count of retries begins with 0.
  if (joined === "rc" && !(nullable && defaultSql === null)) return null;
  const kind = (Object.keys(KINDS) as Kind[]).find((one) => KINDS[one].test(joined)) ?? null;
  // A text of a result is read by its words.
  return isText && kind !== "answer" && (kind !== "error" || /le?ve?l$/.test(joined)) ? null : kind;
}

function codeOf(table: CatalogTable, column: CatalogColumn, kind: Kind, zone: string): AnswerCode {
  const mapped = toMapped(column, zone);
  const isText = TEXTS.includes(column.family);
  const first = defaultWordOf(table, column.name);
  // What a new row has says nothing yet.
  const begin = first === undefined ? [] : [{ column: mapped, in: [isText ? first : Number(first)] }];
  const good = goodOf(kind, mapped, isText);
  const harmless: Condition<MappedColumn>[] = [...begin, ...(good ? [good] : [])];
  const excepted = [SUCCESS[kind], first].filter((one) => one !== null && one !== undefined);
  return {
    column: mapped,
    doubted: { all: [{ column: mapped, is: isText ? "filled" : "set" }, ...harmless.map((not) => ({ not }))] },
    means: kind === "result" ? "nothing" : kind === "error" ? "error" : "answer",
    cleared: clearedOf(column, first),
    says: `${column.name} is set${excepted.length > 0 ? ` and not ${[...new Set(excepted)].join(" or ")}` : ""}`,
  };
}

function clearedOf({ nullable, family, defaultSql }: CatalogColumn, first: string | undefined): NewValue | null {
  if (nullable) return "null";
  if (/^\(?''/.test(defaultSql ?? "")) return { word: "" };
  if (first === undefined) return null;
  return TEXTS.includes(family) ? { word: first } : { number: Number(first) };
}

function goodOf(kind: Kind, column: MappedColumn, isText: boolean): Condition<MappedColumn> | null {
  if (kind === "result") return null;
  if (isText) return { column, in: kind === "answer" ? ANSWERED_WELL : NO_ERROR };
  if (kind !== "answer") return { column, in: [0] };
  return { all: [{ column, atLeast: 200 }, { not: { column, atLeast: 300 } }] };
}
