import type { Pool } from "pg";
import { withReadTransaction } from "./transaction.ts";

/** Whether the database answers at all. Throws within 3 s when it does not; `pool` is best one that nothing else uses. */
export function ping(pool: Pool): Promise<unknown> {
  return withReadTransaction(pool, 1000, (client) => client.query("SELECT 1"));
}
