import { quoteLiteral } from "../../tables/mapping-sql.ts";
import { messageIdBytes, ownName, type StatementContext } from "../relay-context.ts";

/** SQL over a delivery row `d`: its message is dead or waits for its next attempt. */
export const KEPT = "(d.dead_at IS NOT NULL OR d.next_attempt_at IS NOT NULL)";

/**
 * SQL over row `o`: false if the message has a delivery row as dead or as waiting for its next attempt. Delivery rows
 * are only looked up if there are any: an outbox without failures pays one index probe per statement. The lookup is a
 * value and not an EXISTS: the optimizer may turn that into a join with all delivery rows, of which there may be half a
 * million.
 * Index: primary key of delivery.
 */
export function notDeadSql(context: StatementContext): string {
  const beside = `${ownName(context.own.delivery)} d WHERE d.outbox = ${quoteLiteral(context.outbox)}`;
  return `(NOT EXISTS (SELECT 1 FROM ${beside}) OR (SELECT 1 FROM ${beside} AND d.message_id = ${messageIdBytes(context.mapping)} AND ${KEPT}) IS NULL)`;
}
