import type { Pool } from "./pool.ts";
import { withReadTransaction } from "./transaction.ts";

/** Throws if the database does not answer within 3 s. Needs a `pool` that has no other users. */
export function ping(pool: Pool): Promise<unknown> {
  return withReadTransaction(pool, 1000, (session) => session.rows("SELECT 1"));
}
