import type { Pool } from "pg";
import type { Sample } from "./sample.ts";
import { stepStart } from "./step-start.ts";

/**
 * Times are multiples of their step, so a second monitor that takes over overwrites samples instead of doubling them.
 */
const WRITE_SQL = `
INSERT INTO outbox_console_app.sample (outbox, step_seconds, at, in_per_second, out_per_second, failures_per_second, backlog, dead, oldest_pending_seconds, p50_ms, p99_ms)
VALUES ($1, $2::integer, ${stepStart("clock_timestamp()", "$2::integer")}, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (outbox, step_seconds, at) DO UPDATE SET in_per_second = excluded.in_per_second, out_per_second = excluded.out_per_second,
  failures_per_second = excluded.failures_per_second, backlog = excluded.backlog, dead = excluded.dead,
  oldest_pending_seconds = excluded.oldest_pending_seconds, p50_ms = excluded.p50_ms, p99_ms = excluded.p99_ms
RETURNING extract(epoch FROM clock_timestamp() - at)::float8 AS "intoStep"`;

/** Returns how many seconds into its step the sample was written. */
export async function writeSample(db: Pool, outbox: string, stepSeconds: number, sample: Sample): Promise<number> {
  const { inPerSecond, outPerSecond, failuresPerSecond, backlog, dead, oldestPendingSeconds, p50Ms, p99Ms } = sample;
  const values = [inPerSecond, outPerSecond, failuresPerSecond, backlog, dead, oldestPendingSeconds, p50Ms, p99Ms];
  const { rows } = await db.query<{ intoStep: number }>(WRITE_SQL, [outbox, stepSeconds, ...values]);
  return rows[0]?.intoStep ?? 0;
}

/**
 * Aggregates finer samples into coarse ones, from the last coarse sample (rewritten, it may be partial) up to the
 * current step, which is excluded. It is not rewritten once finer samples of it may have been deleted: less is known of
 * it then. Rates are means, everything else is the maximum. A step without samples stays a gap.
 */
const ROLL_UP_SQL = `
INSERT INTO outbox_console_app.sample (outbox, step_seconds, at, in_per_second, out_per_second, failures_per_second, backlog, dead, oldest_pending_seconds, p50_ms, p99_ms)
SELECT fine.outbox, $2::integer, ${stepStart("fine.at", "$2::integer")} AS step, avg(fine.in_per_second), avg(fine.out_per_second),
  avg(fine.failures_per_second), max(fine.backlog), max(fine.dead), max(fine.oldest_pending_seconds), max(fine.p50_ms), max(fine.p99_ms)
FROM (SELECT DISTINCT outbox FROM outbox_console_app.sample WHERE step_seconds = $1::integer) known
CROSS JOIN LATERAL (
  SELECT coalesce(max(at), '-infinity') AS last FROM outbox_console_app.sample coarse WHERE coarse.outbox = known.outbox AND coarse.step_seconds = $2::integer) done
JOIN outbox_console_app.sample fine ON fine.outbox = known.outbox AND fine.step_seconds = $1::integer
  AND fine.at >= CASE WHEN done.last > clock_timestamp() - make_interval(secs => $3)
    THEN done.last ELSE done.last + make_interval(secs => $2::integer) END
  AND fine.at < ${stepStart("clock_timestamp()", "$2::integer")}
GROUP BY fine.outbox, step
ON CONFLICT (outbox, step_seconds, at) DO UPDATE SET in_per_second = excluded.in_per_second, out_per_second = excluded.out_per_second,
  failures_per_second = excluded.failures_per_second, backlog = excluded.backlog, dead = excluded.dead,
  oldest_pending_seconds = excluded.oldest_pending_seconds, p50_ms = excluded.p50_ms, p99_ms = excluded.p99_ms`;

export interface RollUpSteps {
  fineSeconds: number;
  coarseSeconds: number;
  /** How long the finer ones are kept. */
  keepSeconds: number;
}

export async function rollUpSamples(
  db: Pool,
  { fineSeconds, coarseSeconds, keepSeconds }: RollUpSteps,
): Promise<number> {
  const { rowCount } = await db.query(ROLL_UP_SQL, [fineSeconds, coarseSeconds, keepSeconds]);
  return rowCount ?? 0;
}

/** Deletes samples of one step that are older than `keepSeconds`, at most `batch`. Returns how many. */
export async function deleteOldSamples(
  db: Pool,
  input: { stepSeconds: number; keepSeconds: number; batch: number },
): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM outbox_console_app.sample WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM outbox_console_app.sample
       WHERE step_seconds = $1 AND at < clock_timestamp() - make_interval(secs => $2) LIMIT $3))`,
    [input.stepSeconds, input.keepSeconds, input.batch],
  );
  return rowCount ?? 0;
}
