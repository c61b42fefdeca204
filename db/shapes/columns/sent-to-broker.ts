import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import { matchWords } from "../words/match-words.ts";
import { wordsOf } from "../words/name-words.ts";
import { patterns } from "../words/role-patterns.ts";
import { plainName } from "./plain-name.ts";
import { saysCopied } from "./table-name.ts";

/**
 * `orders.sent_to_kafka`: what a person has to answer about a table of another subject, whose rows a program may
 * publish; null without such a column.
 */
export function whetherRowsAreSent(table: CatalogTable, hasPayload: boolean): string | null {
  const mark = table.columns.find((column) => MARKS.includes(column.family) && saysSentToBroker(table, column));
  if (!mark || saysCopied(table.name)) return null;
  const asks = `${table.schema}.${table.name} has ${mark.name}, by which a program may record that it has published a row: does a relay publish its rows?`;
  return hasPayload ? asks : `${asks} If so, which column is to be shown as the payload?`;
}

const MARKS: readonly CatalogColumn["family"][] = [
  ...(["boolean", "instant", "datetime", "smallint", "integer", "bigint", "text", "compact", "words"] as const),
];

function saysSentToBroker(table: CatalogTable, { name }: CatalogColumn): boolean {
  const words = wordsOf(plainName(table, name));
  const said = words.filter(({ concepts }) => !concepts.includes("broker") && !concepts.includes("event"));
  return said.length < words.length && SENT.some((pattern) => matchWords(said, pattern) !== null);
}

const SENT = patterns("10 sent | flag toward time", "10 published | flag toward time");
