import type { ShareView } from "#db/stores/port/relay/share-view.ts";
import { PARTITIONS } from "#domain/partitions.ts";
import { quoteLiteral } from "../../tables/mapping-sql.ts";
import { numberLiteral } from "../literals.ts";
import { ownName, type RelayContext } from "../relay-context.ts";

/**
 * SQL: the participating instances and the partitions of each owner, on the database clock. Instances that are holding
 * or paused take part; stopping ones do not.
 * Index: primary keys of relay_instance and lease. Race: none; acquireLease decides what is really free.
 */
export function sharesSql({ own, outbox }: Pick<RelayContext, "own" | "outbox">, silentMs: number): string {
  const since = `UTC_TIMESTAMP(6) - INTERVAL ${numberLiteral(Math.round(silentMs * 1000))} MICROSECOND`;
  return `SELECT id, NULL FROM ${ownName(own.relayInstance)}
    WHERE outbox = ${quoteLiteral(outbox)} AND source = 'polling' AND state NOT IN ('stopping', 'stopped') AND heartbeat_at > ${since}
    UNION ALL
    SELECT owner, COUNT(*) FROM ${ownName(own.lease)} WHERE outbox = ${quoteLiteral(outbox)} AND until > UTC_TIMESTAMP(6) GROUP BY owner`;
}

export async function readShares(context: RelayContext, silentMs: number): Promise<ShareView> {
  return toShareView(await context.sessions.single((session) => session.rows(sharesSql(context, silentMs))));
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
