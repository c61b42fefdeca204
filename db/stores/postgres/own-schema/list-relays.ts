import type { Pool, PoolClient } from "pg";
import { RETIRED } from "#db/stores/shared/own-tables/retired-relays.ts";
import type { LeaseRow, RelayRow } from "../../port/relay-rows.ts";
import { JUDGING_CLOCK } from "../tables/judging-clock.ts";
import { instantText } from "../tables/mapping-sql.ts";
import { RELAY_SIGNS_SQL } from "./relay-signs-sql.ts";
import { STREAM_SQL } from "./stream-sql.ts";

type Queryable = Pick<Pool | PoolClient, "query">;

/**
 * Instances with a heartbeat within the last day, and the last one however long ago that was; owners first, at most 50.
 */
export async function listRelayRows(db: Queryable, outbox: string): Promise<RelayRow[]> {
  const result = await db.query<RelayRow>(
    `SELECT id, outbox, host, pid, version, ${instantText("started_at")} AS "startedAt", ${instantText("heartbeat_at")} AS "heartbeatAt",
       extract(epoch FROM (${JUDGING_CLOCK}) - heartbeat_at)::float8 AS "heartbeatAgeSeconds", state, source, sink, published::float8 AS published, failures::float8 AS failures,
       published_per_second AS "publishedPerSecond", in_flight AS "inFlight", ${instantText("last_published_at")} AS "lastPublishedAt", last_error AS "lastError",
       ${instantText("last_error_at")} AS "lastErrorAt",
       breaker, ${RELAY_SIGNS_SQL}, late_commits::float8 AS "lateCommits", partitions, ${STREAM_SQL} AS stream, latency::float8[] AS latency
     FROM outbox_console.relay_instance WHERE outbox = $1 AND id <> '${RETIRED}'
       AND (heartbeat_at > clock_timestamp() - interval '1 day'
         OR heartbeat_at = (SELECT max(newest.heartbeat_at) FROM outbox_console.relay_instance newest WHERE newest.outbox = $1))
     ORDER BY state <> 'owner', heartbeat_at DESC LIMIT 50`,
    [outbox],
  );
  return result.rows;
}

export async function listLeaseRows(db: Queryable, outbox: string): Promise<LeaseRow[]> {
  const result = await db.query<LeaseRow>(
    `SELECT outbox, array_agg(partition ORDER BY partition) AS partitions, owner, max(epoch)::float8 AS epoch, ${instantText("min(until)")} AS until,
       until <= clock.at AS expired
     FROM outbox_console.lease, (SELECT ${JUDGING_CLOCK} AS at OFFSET 0) clock
     WHERE outbox = $1 GROUP BY outbox, owner, until <= clock.at ORDER BY expired, min(partition)`,
    [outbox],
  );
  return result.rows;
}
