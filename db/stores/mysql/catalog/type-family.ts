import { isStatusName } from "#db/shapes/words/status-name.ts";
import type { TypeFamily } from "../../port/type-family.ts";

/** Of `typeSql`, the first that matches. Sixteen bytes hold a uuid; one bit, and what BOOLEAN stands for, a boolean. */
const FAMILIES: readonly [TypeFamily, RegExp][] = [
  ["instant", /^timestamp\b/],
  ["datetime", /^datetime\b/],
  ["boolean", /^(tinyint|bit)\(1\)/],
  ["bigint", /^bigint\b/],
  ["integer", /^(int|mediumint)\b/],
  ["smallint", /^(smallint|tinyint)\b/],
  ["decimal", /^decimal\b/],
  ["words", /^enum\(/],
  ["compact", /^(var)?char\(14\)/],
  ["text", /^((var)?char\b|(tiny|medium|long)?text\b)/],
  ["json", /^json$/],
  ["uuid", /^(binary\(16\)|uuid)$/],
  ["binary", /^((var)?binary\b|(tiny|medium|long)?blob\b)/],
];

/**
 * Family of a type as information_schema prints it. `status tinyint(1)` is a code, of which a team may have more than
 * two.
 */
export function familyOf(type: string, name: string): TypeFamily {
  if (type.startsWith("tinyint(1)") && isStatusName(name)) return "smallint";
  return FAMILIES.find(([, pattern]) => pattern.test(type))?.[0] ?? "other";
}
