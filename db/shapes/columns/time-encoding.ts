import type { CatalogColumn } from "../../stores/port/catalog.ts";
import type { TimeEncoding } from "../../stores/port/mapping.ts";
import { wordsOf } from "../words/name-words.ts";

/**
 * How a column of this type stores an instant; undefined if the type cannot. A bigint is epoch ms unless its values
 * show another unit, an integer epoch seconds. `zone`: of values stored without one.
 */
export function timeEncodingOf(
  { family, epochUnit }: Pick<CatalogColumn, "family" | "epochUnit">,
  zone: string,
): TimeEncoding | undefined {
  switch (family) {
    case "instant":
      return { kind: "timestamptz" };
    case "datetime":
      return { kind: "timestamp", zone };
    case "bigint":
      return { kind: "epoch", unit: epochUnit ?? "ms" };
    case "integer":
      return { kind: "epoch", unit: "s" };
    case "compact":
      return { kind: "compact-text", zone };
    default:
      return undefined;
  }
}

/**
 * A time of which only whether there is one is read: a date, or a number with a fraction or of many digits whose name
 * is a time's.
 */
export function isBareTime({ name, type, family }: Pick<CatalogColumn, "name" | "type" | "family">): boolean {
  if (type === "date") return true;
  const isNumber = family === "decimal" || /^(double|real|float)/.test(type);
  return isNumber && saysTime(name);
}

export const saysTime = (name: string) => wordsOf(name).some(({ concepts }) => concepts.includes("time"));
