import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import type { TypeFamily } from "../../stores/port/type-family.ts";
import type { Concept } from "../words/concepts.ts";
import { wordsOf } from "../words/name-words.ts";

/** What a column of such a key says; the consumer may be missing. */
const PARTS = ["topic", "partition", "offset", "consumer"] as const;
type Part = (typeof PARTS)[number];

const CONCEPTS: Record<Part, Concept> = {
  topic: "topic",
  partition: "partition",
  offset: "sequence",
  consumer: "consumer",
};
const NUMBERS: readonly TypeFamily[] = ["smallint", "integer", "bigint", "decimal"];

/**
 * The column of the offset, of a table whose key is the place of a record in a topic: topic, partition and offset, with
 * or without a consumer. Null if no key is. Such a row says which record was processed, and not which message it was.
 */
export function offsetOfPositionKey({ primaryKey, uniqueKeys, columns }: CatalogTable): CatalogColumn | null {
  for (const names of [primaryKey, ...uniqueKeys]) {
    const key = names.flatMap((name) => columns.filter((column) => column.name === name && !column.nullable));
    const parts = key.map(partOf);
    const isPosition = key.length === names.length && new Set(parts).size === parts.length && !parts.includes(null);
    const offset = key[parts.indexOf("offset")];
    if (isPosition && parts.includes("topic") && parts.includes("partition") && offset) return offset;
  }
  return null;
}

function partOf({ name, family }: CatalogColumn): Part | null {
  const words = wordsOf(name);
  const fits = PARTS.filter((part) => words.some(({ concepts }) => concepts.includes(CONCEPTS[part])));
  const part = fits.find((one) => one === "offset" || one === "partition") ?? fits[0] ?? null;
  return (part === "offset" || part === "partition") && !NUMBERS.includes(family) ? null : part;
}
