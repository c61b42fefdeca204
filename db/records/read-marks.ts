import type { Pool } from "pg";
import { instantText } from "../stores/postgres/tables/mapping-sql.ts";

/** Findings of severity `fail` opened in a time range, for its charts: the newest 12, oldest first. */
export async function readMarks(
  db: Pool,
  range: { outbox: string; from: string; to: string },
): Promise<{ at: string; label: string }[]> {
  const result = await db.query<{ at: string; label: string }>(
    `SELECT ${instantText("since")} AS at, label FROM (
       SELECT since, coalesce(detail ->> 'title', rule) AS label FROM outbox_console_app.finding
       WHERE outbox = $1 AND since >= $2 AND since < $3 AND detail ->> 'severity' = 'fail'
       ORDER BY since DESC LIMIT 12) marked
     ORDER BY since`,
    [range.outbox, range.from, range.to],
  );
  return result.rows;
}
