import { lt, sql } from "drizzle-orm";
import type { Session } from "../connection/session.ts";
import { NOW } from "../tables/column-values.ts";

const daysAgo = (days: number) => sql`${NOW} - INTERVAL ${days} DAY`;

/** Deletes attempts older than `keepDays`, at most `batch`. Uses attempt_started_idx. Returns how many. */
export async function deleteOldAttempts(session: Session, keepDays: number, batch: number): Promise<number> {
  const { attempt } = session.own;
  const old = session.db.delete(attempt).where(lt(attempt.startedAt, daysAgo(keepDays)));
  return (await session.run(old.orderBy(attempt.startedAt).limit(batch))).affectedRows;
}

/**
 * Deletes records of rows restored more than `keepDays` ago, at most `batch`. They are for readers of the log, which
 * this store has none of. No index: few rows are ever restored. Returns how many.
 */
export async function deleteOldRestored(session: Session, keepDays: number, batch: number): Promise<number> {
  const { restored } = session.own;
  const old = session.db.delete(restored).where(lt(restored.at, daysAgo(keepDays)));
  return (await session.run(old.orderBy(restored.at).limit(batch))).affectedRows;
}
