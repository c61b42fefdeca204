import type { PoolClient } from "pg";
import { quoteLiteral } from "./mapping-sql.ts";

/** First key of the two-key advisory locks of this program: "OBCX". */
const LOCK_CLASS = 0x4f424358;

/**
 * Locks an outbox for one short transaction: claims take the lock shared, operators' verbs exclusively. So a verb sees
 * every claim, and no claim takes a message that a verb is changing.
 */
export async function lockOutbox(
  client: Pick<PoolClient, "query">,
  outbox: string,
  mode: "shared" | "exclusive",
): Promise<void> {
  const name = mode === "shared" ? "pg_advisory_xact_lock_shared" : "pg_advisory_xact_lock";
  await client.query(`SELECT ${name}($1, hashtext($2))`, [LOCK_CLASS, outbox]);
}

/** The same lock as a statement without parameters, for scripts that open a transaction. */
export function outboxLockSql(outbox: string, mode: "shared" | "exclusive"): string {
  const name = mode === "shared" ? "pg_advisory_xact_lock_shared" : "pg_advisory_xact_lock";
  return `SELECT ${name}(${LOCK_CLASS}, hashtext(${quoteLiteral(outbox)}))`;
}
