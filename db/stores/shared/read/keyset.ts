import { type SQL, sql } from "drizzle-orm";

/**
 * One sort key: its value, its text in the cursor, and the type as which the text compares. Only the first key may be
 * null.
 */
export interface SortKey {
  value: SQL;
  text: SQL;
  type: string;
  nullable?: boolean;
}

/** The order of a list. */
export interface Keyset {
  keys: SortKey[];
  descending: boolean;
}

export function orderBy({ keys, descending }: Keyset): SQL[] {
  return keys.map((key) => (descending ? sql`${key.value} DESC` : sql`${key.value} ASC`));
}
