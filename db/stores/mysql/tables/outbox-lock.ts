import { eq, sql } from "drizzle-orm";
import { toText } from "../connection/dialect.ts";
import type { OwnTables, Session } from "../connection/session.ts";

/**
 * Locks an outbox for one short transaction: claims take the lock shared, operators' verbs exclusively. So a verb sees
 * every claim, and no claim takes a message that a verb is changing. The lock is that of a row of our own, because the
 * server's named locks (GET_LOCK) are not shared and outlive the transaction.
 */
export async function lockOutbox(session: Session, outbox: string, mode: "shared" | "exclusive"): Promise<void> {
  const lock = outboxLockSql(session.own, outbox, mode);
  if ((await session.rows(lock)).length > 0) return;
  await ensureOutboxLock(session, outbox);
  await session.rows(lock);
}

/**
 * The same lock as a statement without parameters, for scripts that open a transaction. Returns one row; returns none,
 * and locks nothing, if `ensureOutboxLock` was never called. Only MySQL has `FOR SHARE`.
 */
export function outboxLockSql(own: OwnTables, outbox: string, mode: "shared" | "exclusive"): string {
  const row = sql`SELECT 1 FROM ${own.outboxLock} WHERE ${eq(own.outboxLock.outbox, outbox)}`;
  return `${toText(row)} ${mode === "shared" ? "LOCK IN SHARE MODE" : "FOR UPDATE"}`;
}

/** Creates the row to lock, once per outbox. */
export async function ensureOutboxLock(session: Session, outbox: string): Promise<void> {
  await session.run(sql`INSERT IGNORE INTO ${session.own.outboxLock} (outbox) VALUES (${outbox})`);
}
