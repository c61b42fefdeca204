import type { Pool, PoolClient } from "pg";
import { instantText } from "../stores/postgres/tables/mapping-sql.ts";
import { storableJson } from "./storable-json.ts";

/** A stored finding. `subject` identifies it from one check to the next. */
export interface FindingRow {
  rule: string;
  subject: string;
  since: string;
  detail: unknown;
}

/** A finding that returns within this time keeps its `since`: a retried head fails again after seconds. */
const SAME_AGAIN_SECONDS = 30;

/** Opens new findings, keeps `since` of open ones, and reopens those closed a moment ago. */
const KEEP_SQL = `
WITH seen AS (SELECT * FROM json_to_recordset($2::json) AS s (rule text, subject text, since timestamptz, detail json)),
kept AS (
  UPDATE outbox_console_app.finding f SET seen_at = clock_timestamp(), closed_at = NULL, detail = s.detail
  FROM seen s
  WHERE f.outbox = $1 AND f.rule = s.rule AND f.subject = s.subject
    AND (f.closed_at IS NULL OR f.closed_at > clock_timestamp() - make_interval(secs => ${SAME_AGAIN_SECONDS}))
    AND f.since = (SELECT max(latest.since) FROM outbox_console_app.finding latest
      WHERE latest.outbox = $1 AND latest.rule = s.rule AND latest.subject = s.subject)
  RETURNING f.rule, f.subject)
INSERT INTO outbox_console_app.finding (outbox, rule, subject, since, seen_at, detail)
SELECT $1, s.rule, s.subject, coalesce(s.since, clock_timestamp()), clock_timestamp(), s.detail FROM seen s
WHERE NOT EXISTS (SELECT FROM kept WHERE kept.rule = s.rule AND kept.subject = s.subject)
ON CONFLICT (outbox, rule, subject, since) DO UPDATE SET seen_at = excluded.seen_at, closed_at = NULL, detail = excluded.detail`;

/** Closes findings that no longer hold, except those of rules that could not be judged. Uses finding_open_idx. */
const CLOSE_SQL = `
UPDATE outbox_console_app.finding SET closed_at = clock_timestamp()
WHERE outbox = $1 AND closed_at IS NULL AND rule <> ALL ($2::text[])
  AND (rule, subject) NOT IN (SELECT s.rule, s.subject FROM json_to_recordset($3::json) AS s (rule text, subject text))`;

export interface FoundInput {
  outbox: string;
  findings: { rule: string; subject: string; since: string | null; detail: unknown }[];
  unread: string[];
}

/** Stores the findings of one check of an outbox. Run it in one transaction. */
export async function writeFindings(client: PoolClient, { outbox, findings, unread }: FoundInput): Promise<void> {
  // Subjects that differ only in what text of Postgres cannot hold are one: no statement writes a row twice.
  const byKey = new Map(findings.map((one) => [storableJson([one.rule, one.subject]), one]));
  const seen = storableJson([...byKey.values()]);
  await client.query(KEEP_SQL, [outbox, seen]);
  await client.query(CLOSE_SQL, [outbox, unread, seen]);
}

/** Open findings, oldest first, at most 500. Uses finding_open_idx. */
export async function readOpenFindings(pool: Pool, outbox: string): Promise<FindingRow[]> {
  const { rows } = await pool.query<FindingRow>(
    `SELECT rule, subject, ${instantText("since")} AS since, detail FROM outbox_console_app.finding
     WHERE outbox = $1 AND closed_at IS NULL ORDER BY since LIMIT 500`,
    [outbox],
  );
  return rows;
}

/** Deletes up to `batch` findings closed more than `keepDays` days ago. Returns how many. */
export async function deleteOldFindings(pool: Pool, keepDays: number, batch: number): Promise<number> {
  const { rowCount } = await pool.query(
    `DELETE FROM outbox_console_app.finding WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM outbox_console_app.finding
       WHERE closed_at < clock_timestamp() - make_interval(days => $1) LIMIT $2))`,
    [keepDays, batch],
  );
  return rowCount ?? 0;
}
