import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import { plainName } from "../columns/plain-name.ts";
import { wordsOf } from "../words/name-words.ts";
import { isStatusName } from "../words/status-name.ts";
import { meaningOf, usualWords } from "../words/status-words.ts";
import { type Columns, type RowMark, toMapped, unused } from "./row-marks.ts";

const TEXTS: readonly CatalogColumn["family"][] = ["text", "compact", "words"];
const ERROR_KIND =
  /^(last)?(error|err|failure|fail|exception|fehler|erro|erreur|errore|blad)+(type|class|kind|category|severity|nature|art|tipo|classe|klasse)$/;

const FINAL =
  "permanent permanent_error permanent_failure fatal terminal final unrecoverable non_recoverable irrecoverable non_retryable non_retriable not_retryable not_retriable unretryable poison hard".split(
    " ",
  );
const plain = (word: string) => word.toLowerCase().replace(/[^a-z]/g, "");
const PLAIN = new Set(FINAL.map(plain));
const pascal = (word: string) => word.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
const USUAL = FINAL.flatMap((word) => [word.toUpperCase(), word, pascal(word), word.replaceAll("_", "-")]);

/** `error_class` of TRANSIENT and PERMANENT: a row whose last error is called final is not tried again. */
export function finalErrors(table: CatalogTable, columns: Columns, zone: string): RowMark[] {
  return unused(table, columns).flatMap((found) => {
    const name = wordsOf(plainName(table, found.name))
      .map(({ text }) => text)
      .join("");
    if (found.generated || !TEXTS.includes(found.family) || !ERROR_KIND.test(name)) return [];
    const listed = table.words[found.name];
    const final = listed ? listed.filter((word) => PLAIN.has(plain(word))) : [...new Set(USUAL)];
    if (final.length === 0) return [];
    const column = toMapped(found, zone);
    const says = `${found.name} is ${listed ? final.join(" or ") : "a word for a final error"}`;
    return [{ kind: "withdrawn", column, holds: { column, in: final }, cleared: "null", marked: "null", says }];
  });
}

const DEAD = usualWords([]).filter((word) => meaningOf(word) === "dead");

/** A status that the database computes and that calls the row dead (`CASE WHEN attempts >= 5 THEN 'DEAD' … END`). */
export function computedDeaths(table: CatalogTable, columns: Columns, zone: string): RowMark[] {
  return unused(table, columns)
    .filter(
      ({ generated, family, name }) => generated && TEXTS.includes(family) && isStatusName(plainName(table, name)),
    )
    .flatMap((found) => {
      const listed = table.words[found.name];
      const words = listed ? listed.filter((word) => meaningOf(word) === "dead") : DEAD;
      const column = toMapped(found, zone);
      const says = `${found.name} calls it dead`;
      if (words.length === 0) return [];
      return [{ kind: "withdrawn", column, holds: { column, in: words }, cleared: "null", marked: "null", says }];
    });
}
