import type { ShareView } from "#db/stores/port/relay/share-view.ts";
import { toShareView } from "#db/stores/shared/relay/to-share-view.ts";
import { quoteLiteral } from "../../tables/mapping-sql.ts";
import { numberLiteral } from "../literals.ts";
import { ownName, type RelayContext } from "../relay-context.ts";

/**
 * SQL: the participating instances with what they keep in order, and the partitions of each term, on the database
 * clock. Instances that are holding or paused take part; stopping ones do not, nor those whose heartbeat dates from
 * before the clock was set back. A term's rows expire together. Index: primary keys of relay_instance and lease. Race:
 * none; acquireLease decides which partitions are really free.
 */
export function sharesSql({ own, outbox }: Pick<RelayContext, "own" | "outbox">, silentMs: number): string {
  const since = `UTC_TIMESTAMP(6) - INTERVAL ${numberLiteral(Math.round(silentMs * 1000))} MICROSECOND`;
  return `SELECT id, JSON_OBJECT('ordering', JSON_UNQUOTE(JSON_EXTRACT(sink, '$.ordering'))) FROM ${ownName(own.relayInstance)}
    WHERE outbox = ${quoteLiteral(outbox)} AND source = 'polling' AND state NOT IN ('stopping', 'stopped') AND heartbeat_at > ${since} AND heartbeat_at < UTC_TIMESTAMP(6) + INTERVAL 1 SECOND
    UNION ALL
    SELECT owner, JSON_OBJECT('count', COUNT(*), 'epoch', epoch, 'leaseMs', MAX(length_ms), 'seen', CAST(MAX(until) AS CHAR)) FROM ${ownName(own.lease)} WHERE outbox = ${quoteLiteral(outbox)} AND until > UTC_TIMESTAMP(6) GROUP BY owner, epoch`;
}

export async function readShares(context: RelayContext, silentMs: number): Promise<ShareView> {
  return toShareView(await context.sessions.single((session) => session.rows(sharesSql(context, silentMs))));
}
