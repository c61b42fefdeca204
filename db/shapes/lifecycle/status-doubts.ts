import type { CatalogTable } from "../../stores/port/catalog.ts";
import type { MappedColumn, MarkedLifecycle, StatusMark } from "../../stores/port/mapping.ts";
import { plainName } from "../columns/plain-name.ts";
import type { Concept } from "../words/concepts.ts";
import { isFlagName } from "../words/flag-names.ts";
import { indexHintsOf } from "../words/index-hints.ts";
import { wordsOf } from "../words/name-words.ts";
import { answerCodeOf } from "./answer-codes.ts";
import { marksOf } from "./coded-marks.ts";
import { isRefusalMark } from "./denials.ts";
import { saidBesideCode } from "./other-marks.ts";
import { outcomeOf } from "./outcomes.ts";
import { partlyFailed } from "./partial-failures.ts";
import { publishedBy } from "./published-mark.ts";
import type { Columns } from "./row-marks.ts";
import { type Doubt, sentAgain } from "./sent-again.ts";
import { defaultWordOf, shownWords } from "./status-lifecycle.ts";
import { successFlagOf } from "./success-flag.ts";

type Status = Extract<MarkedLifecycle, { kind: "status" }>;

interface Read {
  zone: string;
  /** By names alone, and nobody has said yes to it. */
  isGuess: boolean;
  /** Our relay publishes the table: it writes no flag of a result. */
  ownRelay: boolean;
}

/**
 * What other columns say against a status: that a published row failed or is to be sent again. Where nothing says what
 * a new row has, the status may be that of the message's subject: it is believed where the published time agrees with
 * it.
 */
export function doubtedMarks(
  table: CatalogTable,
  lifecycle: MarkedLifecycle,
  columns: Columns,
  { zone, isGuess, ownRelay }: Read,
): StatusMark[] {
  if (lifecycle.kind !== "status") return [];
  const success = ownRelay ? null : successFlagOf(table, columns, zone);
  const failed: Doubt[] = success ? [isFalse(success.column)] : [];
  const outcome = ownRelay ? null : outcomeOf(table, columns, zone);
  const denied: Doubt[] = outcome ? [{ column: outcome.column, holds: outcome.doubted, says: outcome.says }] : [];
  // Of a status that says how it ended, the code says no more.
  const isFlag = isFlagName(wordsOf(plainName(table, lifecycle.column.name)));
  const code = ownRelay || !isFlag ? null : answerCodeOf(table, columns, zone);
  if (isFlag) denied.push(...saidBesideCode(table, columns, lifecycle.column, zone));
  if (code) denied.push({ column: code.column, holds: code.doubted, says: code.says });
  const refused = ownRelay ? [] : marksOf(table, columns, zone).filter(isRefusalMark);
  const again = [sentAgain, partlyFailed].flatMap((of) => of(table, columns, zone));
  const doubts: Doubt[] = [...again, ...failed, ...denied, ...refused];
  const { publishedAt } = columns;
  const isSeen = lifecycle.shown?.length !== 0 && !isTold(table, lifecycle.column.name);
  const isBare = isSeen && publishedAt?.time !== undefined;
  const mayDisagree = isGuess && publishedAt && (isBare || isVague(table, lifecycle, publishedAt));
  return [
    ...doubts.map(({ column, holds, says }) => ({
      kind: "doubted" as const,
      ...{ column, holds, says },
      cleared: "null" as const,
      marked: "null" as const,
    })),
    ...(mayDisagree ? disagreeing(table, publishedAt) : []),
  ];
}

const isFalse = (column: MappedColumn): Doubt => ({
  column,
  holds: { column, is: "false" },
  says: `${column.name} is false`,
});

/** A default, a list of words or an index says which word a message has that waits. */
const isTold = (table: CatalogTable, status: string) =>
  defaultWordOf(table, status) !== undefined ||
  table.words[status] !== undefined ||
  indexHintsOf(table).words.has(status);

/** A row that failed may well have the time at which it was processed, and no time at which it was sent. */
function disagreeing(table: CatalogTable, column: MappedColumn): StatusMark[] {
  const words = wordsOf(plainName(table, column.name));
  const isOfAny = words.some(({ concepts }) => concepts.includes("processed"));
  const mark = { column, cleared: "null" as const, marked: "null" as const };
  const read = publishedBy(table, column);
  if (!read) return [];
  const said = column.time ? "set" : "true";
  const is = (set: "null" | "set") => ({
    holds: set === "set" ? read.marked : read.open,
    says: `${column.name} is ${set === "set" ? "" : "not "}${said}`,
  });
  const unsent: StatusMark[] = isOfAny ? [] : [{ kind: "withdrawn", ...mark, ...is("set") }];
  return [...unsent, { kind: "doubted", ...mark, ...is("null") }];
}

/** What a parcel or an order is called as well as a message, unlike `SENT` or `PUBLISHED`. */
const OF_SUBJECT =
  /^(delivered|shipped|completed?|done|finished|succeeded|success|successful|confirmed|ok|closed|processed|handled|executed|applied|geliefert|zugestellt|abgeschlossen|erledigt|entregado|entregue|completado|concluido|livre|livree|termine|consegnato|completato|bezorgd|afgeleverd|voltooid|dostarczone)$/;
const OF_SENDING: readonly Concept[] = ["sent", "published"];

/**
 * The published time or flag speaks of sending and no word that the status is known to have does, so that it may be the
 * status of the message's subject (`COMPLETED`, `DELIVERED`).
 */
function isVague(table: CatalogTable, { column, published }: Status, mark: MappedColumn): boolean {
  if (indexHintsOf(table).words.has(column.name) || table.labels?.[column.name]) return false;
  if (publishedBy(table, mark) === null) return false;
  // Where a code of `sent` and `sent_at` disagree, one of them is not the relay's.
  if (isFlagName(wordsOf(plainName(table, column.name)))) return true;
  const ofMark = wordsOf(plainName(table, mark.name));
  const done = shownWords(table, column.name).filter((word) => published.includes(word));
  const isOfSubject = (word: string) => {
    const [only, ...others] = wordsOf(word);
    return (
      only !== undefined &&
      others.length === 0 &&
      OF_SUBJECT.test(only.text) &&
      !ofMark.some(({ text }) => text === only.text)
    );
  };
  const speaks = ofMark.some(({ concepts }) => concepts.some((one) => OF_SENDING.includes(one)));
  return speaks && done.length > 0 && done.every(isOfSubject);
}
