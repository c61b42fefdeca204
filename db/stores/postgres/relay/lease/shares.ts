import type { ShareView } from "#db/stores/port/relay/share-view.ts";
import { toShareView } from "#db/stores/shared/relay/to-share-view.ts";
import type { RelayContext } from "../relay-context.ts";

/**
 * SQL: the participating instances with what they keep in order, and the partitions of each term, on the database
 * clock. Instances that are holding or paused take part; stopping ones do not, nor those whose heartbeat dates from
 * before the clock was set back. Index: primary keys of relay_instance and lease. Race: none; acquireLease decides what
 * is really free.
 */
export function sharesSql(silentParameter: number): string {
  return `SELECT id, json_build_object('ordering', sink->>'ordering')::text FROM outbox_console.relay_instance
    WHERE outbox = $1 AND source = 'polling' AND state NOT IN ('stopping', 'stopped')
      AND heartbeat_at > clock_timestamp() - $${silentParameter}::float8 * interval '1 ms'
      AND heartbeat_at < clock_timestamp() + interval '1 s'
    UNION ALL
    SELECT owner, json_build_object('count', count(*), 'epoch', epoch, 'leaseMs', max(length_ms), 'seen', array_agg(until ORDER BY partition)::text)::text
    FROM outbox_console.lease WHERE outbox = $1 AND until > clock_timestamp() GROUP BY owner, epoch`;
}

export async function readShares(context: RelayContext, silentMs: number): Promise<ShareView> {
  const { rows } = await context.sessions.single("shares", sharesSql(2), [context.outbox, silentMs]);
  return toShareView(rows);
}
