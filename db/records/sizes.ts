import type { Pool } from "pg";
import { instantText } from "../stores/postgres/tables/mapping-sql.ts";
import { stepStart } from "./step-start.ts";

const STEP_SECONDS = 3600;
const KEEP_DAYS = 40;

export interface SizePoint {
  at: string;
  bytes: number;
}

/** One point an hour: a second one in the same hour replaces the first. Deletes points older than 40 days. */
export async function writeSize(db: Pool, outbox: string, bytes: number): Promise<void> {
  await db.query(
    `WITH old AS (DELETE FROM outbox_console_app.size_sample WHERE outbox = $1 AND at < clock_timestamp() - make_interval(days => $4))
     INSERT INTO outbox_console_app.size_sample (outbox, at, bytes) VALUES ($1, ${stepStart("clock_timestamp()", "$3::integer")}, $2)
     ON CONFLICT (outbox, at) DO UPDATE SET bytes = excluded.bytes`,
    [outbox, bytes, STEP_SECONDS, KEEP_DAYS],
  );
}

/** Oldest first. */
export async function readSizes(db: Pool, outbox: string, days: number): Promise<SizePoint[]> {
  const { rows } = await db.query<SizePoint>(
    `SELECT ${instantText("at")} AS at, bytes::float8 AS bytes FROM outbox_console_app.size_sample
     WHERE outbox = $1 AND at > clock_timestamp() - make_interval(days => $2) ORDER BY size_sample.at`,
    [outbox, days],
  );
  return rows;
}
