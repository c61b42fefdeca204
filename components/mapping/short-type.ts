const SHORT: readonly (readonly [RegExp, string])[] = [
  [/^timestamp(\(\d\))? with time zone$/, "timestamptz$1"],
  [/^timestamp(\(\d\))? without time zone$/, "timestamp$1"],
  [/^character varying/, "varchar"],
  [/^double precision$/, "float8"],
];

/** The name of a column's type as most people write it, where the catalog has a longer one. */
export function shortType(type: string): string {
  const found = SHORT.find(([long]) => long.test(type));
  return found ? type.replace(...found) : type;
}
