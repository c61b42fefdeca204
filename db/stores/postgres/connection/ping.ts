import type { Pool } from "pg";
import { withReadTransaction } from "./transaction.ts";

/** Throws if the database does not answer within 3 s. Needs a `pool` that has no other users. */
export function ping(pool: Pool): Promise<unknown> {
  return withReadTransaction(pool, 1000, (client) => client.query("SELECT 1"));
}
