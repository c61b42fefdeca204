import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import { wordsOf } from "../words/name-words.ts";
import { plainName } from "./plain-name.ts";

/** `record_state DEFAULT 'A'`: whether the row still counts, and not how far its message is. */
export function isRecordState(
  table: Pick<CatalogTable, "columns">,
  { name, defaultSql, family }: Pick<CatalogColumn, "name" | "defaultSql" | "family">,
): boolean {
  if (defaultSql === null || !["text", "compact", "words", "smallint"].includes(family)) return false;
  return RECORD_STATE.test(
    wordsOf(plainName(table, name))
      .map(({ text }) => text)
      .join(" "),
  );
}

const ROW = "(record|rec|row|datensatz|registro|ligne|wiersz)";
const RECORD_STATE = new RegExp(
  `^(${ROW} ?(status|state|stat|sts|cd|estado|statut|stan|situacao)( (code|cd))?|(st|status|state|estado|statut|stan|situacao)( (de|do|del|du|da))? ${ROW})$`,
);
