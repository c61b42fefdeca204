import { capitalize } from "#domain/format.ts";
import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import { plainName } from "../columns/plain-name.ts";
import { wordsOf } from "../words/name-words.ts";
import { meaningOf, usualWords } from "../words/status-words.ts";
import { saysWithdrawn } from "./outcomes.ts";
import { type Columns, toMapped, unused } from "./row-marks.ts";
import type { Doubt } from "./sent-again.ts";

const PLACES =
  "to|targets?|destinations?|consumers?|subscribers?|topics?|channels?|sinks?|recipients?|endpoints?|brokers?|queues?|receivers?|handlers?|systems?";
const OF_SOME = new RegExp(
  `^(failed|failing|errored|undelivered|unsent|undispatched|unpublished|missing|pending|remaining|open|outstanding|rejected)(${PLACES})$`,
);

/**
 * What says of a published row that it has not reached everybody: `failed_targets text[]` or `pending_destinations
 * jsonb` that lists any, and a second status of a refusal or a failure.
 */
export function partlyFailed(table: CatalogTable, columns: Columns, zone: string): Doubt[] {
  return unused(table, columns).flatMap((found): Doubt[] => {
    const column = toMapped(found, zone);
    if (isList(found) && OF_SOME.test(joined(table, found)))
      return [{ column, holds: { column, is: "filled" }, says: `${found.name} lists any` }];
    const words = isSubStatus(table, found) ? badWords(table, found.name) : [];
    const says = `${found.name} says that it was refused or has failed`;
    return words.length > 0 ? [{ column, holds: { column, in: words }, says }] : [];
  });
}

const isList = ({ type, family, generated }: CatalogColumn) =>
  !generated && (type.endsWith("[]") || family === "json" || family === "text");

/** `sub_status`, `status_detail`: a word for what the status leaves out. */
export const isSubStatus = (table: Pick<CatalogTable, "columns">, column: CatalogColumn): boolean =>
  ["text", "compact", "words"].includes(column.family) &&
  !column.generated &&
  /^(sub(status|state)|(status|state)(details?|sub)|(details?|detailed|secondary|second)(status|state))$/.test(
    joined(table, column),
  );

const REFUSED = "rejected refused cancelled canceled bounced returned nack nacked undelivered".split(" ");
const hasFailed = (word: string) => ["failed", "dead"].includes(meaningOf(word) ?? "");
const BAD = [
  ...REFUSED.flatMap((word) => [word, word.toUpperCase(), capitalize(word)]),
  ...usualWords([]).filter(hasFailed),
];

function badWords(table: CatalogTable, column: string): string[] {
  const listed = table.words[column];
  return listed ? listed.filter((word) => BAD.includes(word) || hasFailed(word) || saysWithdrawn(word)) : BAD;
}

const joined = (table: Pick<CatalogTable, "columns">, { name }: CatalogColumn) =>
  wordsOf(plainName(table, name))
    .map(({ text }) => text)
    .join("");
