import type { CatalogTable } from "../../stores/port/catalog.ts";
import type { MappedColumn, MarkedLifecycle, StatusMark } from "../../stores/port/mapping.ts";
import { plainName } from "../columns/plain-name.ts";
import { indexHintsOf } from "../words/index-hints.ts";
import { wordsOf } from "../words/name-words.ts";
import { outcomeOf } from "./outcomes.ts";
import type { Columns } from "./row-marks.ts";
import { type Doubt, sentAgain } from "./sent-again.ts";
import { defaultWordOf } from "./status-lifecycle.ts";
import { successFlagOf } from "./success-flag.ts";

interface Read {
  zone: string;
  /** By names alone, and nobody has said yes to it. */
  isGuess: boolean;
  /** Our relay publishes the table: it writes no flag of a result. */
  ownRelay: boolean;
}

/**
 * What other columns say against a status: that a published row failed or is to be sent again. Where nothing says what a new row
 * has, the status may be that of the message's subject: it is believed where the published time agrees with it.
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
  const doubts = [...sentAgain(table, columns, zone), ...failed, ...denied];
  const { publishedAt } = columns;
  const isSeen = lifecycle.shown?.length !== 0 && !isTold(table, lifecycle.column.name);
  const isBare = isGuess && isSeen && publishedAt?.time && publishedAt.nullable;
  return [
    ...doubts.map((doubt) => ({
      kind: "doubted" as const,
      ...doubt,
      cleared: "null" as const,
      marked: "null" as const,
    })),
    ...(isBare ? disagreeing(table, publishedAt) : []),
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
  const is = (set: "null" | "set") => ({
    holds: { column, is: set },
    says: `${column.name} is ${set === "set" ? "" : "not "}set`,
  });
  const unsent: StatusMark[] = isOfAny ? [] : [{ kind: "withdrawn", ...mark, ...is("set") }];
  return [...unsent, { kind: "doubted", ...mark, ...is("null") }];
}
