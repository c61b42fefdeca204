import type { SQL } from "drizzle-orm";
import type { MappedColumn } from "../../port/mapping.ts";
import { isNotTrue, NEVER } from "./conditions.ts";
import type { RowConditions } from "./row-conditions.ts";

/** An expiry that is no time: the placeholder of a new row, and 0 of a number. NEVER if the column has none. */
export function neverExpires(conditions: RowConditions, expiresAt: MappedColumn): SQL {
  if (expiresAt.time?.kind === "epoch") return isNotTrue(conditions.atLeast(expiresAt, 1));
  return expiresAt.unset === undefined ? NEVER : conditions.isIn(expiresAt, [expiresAt.unset]);
}
