import type { ShareView } from "#db/stores/port/relay/share-view.ts";
import { PARTITIONS } from "#domain/partitions.ts";
import type { RelayContext } from "../relay-context.ts";

/**
 * SQL: the participating instances and the partitions of each owner, on the database clock. Instances that are holding
 * or paused take part; stopping ones do not.
 * Index: primary keys of relay_instance and lease. Race: none; acquireLease decides what is really free.
 */
export function sharesSql(silentParameter: number): string {
  return `SELECT id, NULL FROM outbox_console.relay_instance
    WHERE outbox = $1 AND source = 'polling' AND state NOT IN ('stopping', 'stopped')
      AND heartbeat_at > clock_timestamp() - $${silentParameter}::float8 * interval '1 ms'
    UNION ALL
    SELECT owner, count(*)::text FROM outbox_console.lease WHERE outbox = $1 AND until > clock_timestamp() GROUP BY owner`;
}

export async function readShares(context: RelayContext, silentMs: number): Promise<ShareView> {
  const { rows } = await context.sessions.single("shares", sharesSql(2), [context.outbox, silentMs]);
  return toShareView(rows);
}

/** Converts rows of `sharesSql`. */
export function toShareView(rows: readonly (string | null)[][]): ShareView {
  const owned = new Map<string, number>();
  const members: string[] = [];
  for (const [id, count] of rows) {
    if (typeof count === "string") owned.set(id ?? "", Number(count));
    else members.push(id ?? "");
  }
  const taken = [...owned.values()].reduce((sum, count) => sum + count, 0);
  return { members, owned, free: PARTITIONS - taken };
}
