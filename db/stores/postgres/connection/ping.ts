import type { Pool } from "pg";
import { withReadTransaction } from "./transaction.ts";

/** Throws if the database does not answer within 3 s. Use a `pool` that nothing else uses. */
export function ping(pool: Pool): Promise<unknown> {
  return withReadTransaction(pool, 1000, (client) => client.query("SELECT 1"));
}
