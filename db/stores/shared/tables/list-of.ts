import { type SQL, sql } from "drizzle-orm";

/** A comma-separated list. */
export function listOf(parts: readonly SQL[]): SQL {
  return sql.join([...parts], sql`, `);
}
