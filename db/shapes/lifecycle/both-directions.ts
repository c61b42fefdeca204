import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import { plainName } from "../columns/plain-name.ts";
import { wordsOf } from "../words/name-words.ts";

const NAMES =
  /^(message|event|msg|evt)?(direction|dir|inout|box|boxtype|boxkind|boxname|direccion|direcao|direzione|richtung|kierunek)$|^(is)?(inbound|outbound|incoming|outgoing|eingehend|ausgehend|entrante|saliente)$/;

/**
 * The column that says of each row whether it leaves or arrives. What arrived waits for a handler and not for a relay,
 * and a table is read as one outbox or one inbox.
 */
export function directionOf(table: Pick<CatalogTable, "columns">): CatalogColumn | undefined {
  const kinds: readonly CatalogColumn["family"][] = ["text", "compact", "words", "boolean", "smallint", "integer"];
  return table.columns.find(({ name, family }) => kinds.includes(family) && NAMES.test(joined(plainName(table, name))));
}

const joined = (name: string) =>
  wordsOf(name)
    .map(({ text }) => text)
    .join("");
