import type { CatalogColumn } from "../stores/port/catalog.ts";
import type { TimeEncoding } from "../stores/port/mapping.ts";

/**
 * How a column of this type stores an instant; undefined if the type cannot. A bigint is epoch ms, an integer epoch
 * seconds.
 */
export function timeEncodingOf(column: Pick<CatalogColumn, "type">, zone: string): TimeEncoding | undefined {
  const { type } = column;
  if (/^timestamp(\(\d\))? with time zone$/.test(type)) return { kind: "timestamptz" };
  if (/^timestamp(\(\d\))? without time zone$/.test(type)) return { kind: "timestamp", zone };
  if (type === "bigint") return { kind: "epoch", unit: "ms" };
  if (type === "integer") return { kind: "epoch", unit: "s" };
  if (/^(character varying\(14\)|character\(14\))$/.test(type)) return { kind: "compact-text", zone };
  return undefined;
}
