import type { Pool } from "pg";
import type { StorePressure } from "#db/stores/port/retention.ts";
import { formatDuration } from "#domain/format.ts";

/** A transaction older than this keeps so many removed rows that removing more only makes the table slower. */
const HELD_SECONDS = 60;

const HOLDER_SQL = `
SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS at, holder.who, extract(epoch FROM clock_timestamp() - since)::float8 AS seconds
FROM (SELECT) one LEFT JOIN LATERAL (SELECT who, since FROM (
  SELECT 'pid ' || pid || coalesce(' (' || nullif(application_name, '') || ')', '') AS who, xact_start AS since FROM pg_stat_activity
  WHERE datname = current_database() AND backend_xmin IS NOT NULL AND pid <> pg_backend_pid() AND backend_type = 'client backend'
  UNION ALL SELECT 'the prepared transaction ' || gid, prepared FROM pg_prepared_xacts WHERE database = current_database()) found
WHERE since < clock_timestamp() - make_interval(secs => $1) ORDER BY since LIMIT 1) holder ON true`;

interface Answer {
  at: number;
  who: string | null;
  seconds: number | null;
}

/** Whether the database has room for a batch now. */
export async function readPressure(pool: Pool): Promise<StorePressure> {
  const startedMs = performance.now();
  const { rows } = await pool.query<Answer>(HOLDER_SQL, [HELD_SECONDS]);
  const [{ at, who, seconds }] = rows as [Answer];
  return {
    probeMs: performance.now() - startedMs,
    databaseTimeMs: at,
    heldBack:
      who === null
        ? null
        : `${who} has kept a transaction open for ${formatDuration(seconds ?? 0)}, and removed rows cannot be cleaned up before it ends`,
  };
}
