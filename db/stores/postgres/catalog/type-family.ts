import type { TypeFamily } from "../../port/type-family.ts";

const FAMILIES: readonly [TypeFamily, RegExp][] = [
  ["instant", /^timestamp(\(\d\))? with time zone$/],
  ["datetime", /^timestamp(\(\d\))? without time zone$/],
  ["bigint", /^bigint$/],
  ["integer", /^integer$/],
  ["smallint", /^smallint$/],
  ["decimal", /^numeric/],
  ["boolean", /^boolean$/],
  ["compact", /^(character varying|character)\(14\)$/],
  ["text", /^(text|character|name$|citext)/],
  ["json", /^jsonb?$/],
  ["binary", /^bytea$/],
  ["uuid", /^uuid$/],
  ["xml", /^xml$/],
];

/** Family of a type as `format_type` prints it. `isEnum`: the catalog lists its words. */
export function familyOf(type: string, isEnum: boolean): TypeFamily {
  if (type.endsWith("[]")) return "other";
  if (isEnum) return "words";
  return FAMILIES.find(([, pattern]) => pattern.test(type))?.[0] ?? "other";
}
