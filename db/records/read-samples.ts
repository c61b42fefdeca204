import type { Pool } from "pg";
import { instantText } from "../stores/postgres/tables/mapping-sql.ts";
import type { Sample } from "./sample.ts";
import { stepStart } from "./step-start.ts";

export interface SampleRow extends Sample {
  at: string;
}

/** Rates and latencies of the last seconds, and the backlog of the newest sample. */
export type Rates = Omit<Sample, "dead" | "oldestPendingSeconds">;

/** Resolutions that the monitor keeps, seconds. */
export const SAMPLE_STEPS = [5, 60, 3600] as const;
/** How long samples of each step are kept, seconds. */
export const SAMPLES_KEPT: Record<(typeof SAMPLE_STEPS)[number], number> = {
  5: 6 * 3600,
  60: 3 * 86_400,
  3600: 30 * 86_400,
};

/**
 * Samples of one outbox in steps of `stepSeconds`, a multiple of `kept`. Steps without a sample are missing. Ages,
 * backlogs and latencies are the maximum within the step, rates the mean.
 */
export async function readSamples(
  db: Pool,
  input: { outbox: string; from: string; to: string; kept: number; stepSeconds: number },
): Promise<SampleRow[]> {
  const result = await db.query<SampleRow>(
    `SELECT ${instantText(stepStart("at", "$5::integer"))} AS at, avg(in_per_second) AS "inPerSecond", avg(out_per_second) AS "outPerSecond",
       avg(failures_per_second) AS "failuresPerSecond", max(backlog) AS backlog, max(dead) AS dead, max(oldest_pending_seconds) AS "oldestPendingSeconds",
       max(p50_ms) AS "p50Ms", max(p99_ms) AS "p99Ms"
     FROM outbox_console_app.sample WHERE outbox = $1 AND step_seconds = $4 AND at >= $2 AND at < $3
     GROUP BY 1 ORDER BY 1`,
    [input.outbox, input.from, input.to, input.kept, input.stepSeconds],
  );
  return result.rows;
}

/**
 * Time of the first sample; null if nothing was sampled. A coarse sample has the start of its step as its time, up to
 * an hour before the first sample in it; if a finer sample of that step is kept, its time counts.
 */
export async function watchingSince(db: Pool, outbox: string): Promise<string | null> {
  const result = await db.query<{ at: string | null }>(
    `SELECT ${instantText("least(hour, minute, fine)")} AS at FROM (
       SELECT fine, CASE WHEN fine < minute + interval '1 minute' THEN NULL ELSE minute END AS minute,
         CASE WHEN least(minute, fine) < hour + interval '1 hour' THEN NULL ELSE hour END AS hour
       FROM (SELECT min(at) FILTER (WHERE step_seconds = 5) AS fine, min(at) FILTER (WHERE step_seconds = 60) AS minute,
           min(at) FILTER (WHERE step_seconds = 3600) AS hour
         FROM outbox_console_app.sample WHERE outbox = $1) AS first) AS finest`,
    [outbox],
  );
  return result.rows[0]?.at ?? null;
}

/** Ages of samples whose rates still say what happens now. */
export interface RatesAge {
  /** Of the newest one; while it is older, nothing is known. */
  newestSeconds: number;
  /** Of the others. */
  maxAgeSeconds: number;
}

/**
 * Mean rates, latest latencies and the latest backlog of the newest three samples within these ages. Where a busy
 * database lets samples fail, those from before the gap would show a burst as growth while it is already drained.
 */
export async function latestRates(db: Pool, outbox: string, age: RatesAge): Promise<Rates | null> {
  const result = await db.query<Rates>(
    `SELECT avg(in_per_second) AS "inPerSecond", avg(out_per_second) AS "outPerSecond", avg(failures_per_second) AS "failuresPerSecond",
       (array_agg(backlog ORDER BY at DESC))[1] AS backlog, (array_agg(p50_ms ORDER BY at DESC))[1] AS "p50Ms", (array_agg(p99_ms ORDER BY at DESC))[1] AS "p99Ms"
     FROM (SELECT *, max(at) OVER () AS newest FROM (
         SELECT * FROM outbox_console_app.sample WHERE outbox = $1 AND step_seconds = 5 AND at > clock_timestamp() - make_interval(secs => $2)
         ORDER BY at DESC LIMIT 3) AS last) AS recent
     WHERE newest > clock_timestamp() - make_interval(secs => $3)`,
    [outbox, age.maxAgeSeconds, age.newestSeconds],
  );
  return result.rows[0] ?? null;
}
