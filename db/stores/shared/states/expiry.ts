import { type SQL, sql } from "drizzle-orm";
import type { MappedColumn } from "../../port/mapping.ts";
import type { RowConditions } from "./row-conditions.ts";

/**
 * A time before this is a placeholder, such as 0, the year 1 or 1970: nothing that is read here happened so long ago.
 */
export const EARLIEST = "2001-01-01";

/** An expiry that is no time, but a placeholder for "never". */
export function neverExpires(conditions: RowConditions, expiresAt: MappedColumn): SQL {
  return isPlaceholder(conditions.deadline(expiresAt));
}

export const isPlaceholder = (instant: SQL): SQL => sql`${instant} < ${sql.raw(`'${EARLIEST}'`)}`;
