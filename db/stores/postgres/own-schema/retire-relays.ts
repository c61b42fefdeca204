import type { Pool, PoolClient } from "pg";
import { RETIRED } from "#db/stores/shared/own-tables/retired-relays.ts";
import type { RelayTotals } from "../../port/relay-rows.ts";

/**
 * Deletes relay instances that have been silent for `silentHours` and adds their counters to the retired row. Keeps the
 * newest of each outbox, so "last heard" stays known. One statement, so two concurrent monitors count nothing twice and
 * drop nothing. Returns how many were deleted.
 */
export async function retireRelays(db: Pool, silentHours: number): Promise<number> {
  const { rows } = await db.query<{ gone: number }>(
    `WITH gone AS (
       DELETE FROM outbox_console.relay_instance r
       WHERE r.id <> '${RETIRED}' AND r.heartbeat_at < clock_timestamp() - make_interval(hours => $1)
         AND EXISTS (SELECT FROM outbox_console.relay_instance newer WHERE newer.outbox = r.outbox AND newer.heartbeat_at > r.heartbeat_at)
       RETURNING r.outbox, r.published, r.failures, r.latency),
     latencies AS (
       SELECT outbox, array_agg(total ORDER BY place) AS latency FROM (
         SELECT outbox, place, sum(count)::bigint AS total FROM gone, unnest(latency) WITH ORDINALITY AS bucket(count, place) GROUP BY outbox, place) summed
       GROUP BY outbox),
     kept AS (
       INSERT INTO outbox_console.relay_instance AS t (id, outbox, host, pid, version, started_at, heartbeat_at, state, source, sink, published, failures, latency)
       SELECT '${RETIRED}', g.outbox, '', 0, '', 'epoch', 'epoch', 'stopped', '', '{}', sum(g.published)::bigint, sum(g.failures)::bigint,
         coalesce((SELECT latency FROM latencies l WHERE l.outbox = g.outbox), '{}')
       FROM gone g GROUP BY g.outbox
       ON CONFLICT (outbox, id) DO UPDATE SET published = t.published + excluded.published, failures = t.failures + excluded.failures,
         latency = ARRAY(SELECT coalesce(a, 0) + coalesce(b, 0) FROM unnest(t.latency, excluded.latency) AS pair(a, b)))
     SELECT count(*)::int AS gone FROM gone`,
    [silentHours],
  );
  return rows[0]?.gone ?? 0;
}

/** Totals of all relays an outbox ever had, retired ones included; zero if none ever ran. */
export async function readRelayTotals(db: Pick<Pool | PoolClient, "query">, outbox: string): Promise<RelayTotals> {
  const { rows } = await db.query<RelayTotals>(
    `SELECT coalesce(sum(published), 0)::float8 AS published, coalesce(sum(failures), 0)::float8 AS failures,
       ARRAY(SELECT sum(count)::float8 FROM outbox_console.relay_instance i, unnest(i.latency) WITH ORDINALITY AS bucket(count, place)
             WHERE i.outbox = $1 GROUP BY place ORDER BY place) AS latency
     FROM outbox_console.relay_instance WHERE outbox = $1`,
    [outbox],
  );
  return rows[0] ?? { published: 0, failures: 0, latency: [] };
}
