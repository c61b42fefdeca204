import { and, lt, not, sql } from "drizzle-orm";
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
 * Deletes records of rows restored more than `keepDays` ago, at most `batch`, once every reader of the log has passed
 * them. No index: few rows are ever restored. Returns how many.
 */
export async function deleteOldRestored(session: Session, keepDays: number, batch: number): Promise<number> {
  const { restored, binlogReader } = session.own;
  const behind = sql`EXISTS (SELECT 1 FROM ${binlogReader} WHERE ${binlogReader.readTo} <= ${restored.at})`;
  const old = session.db.delete(restored).where(and(lt(restored.at, daysAgo(keepDays)), not(behind)));
  return (await session.run(old.orderBy(restored.at).limit(batch))).affectedRows;
}
