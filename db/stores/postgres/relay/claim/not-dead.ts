/**
 * SQL over the message id: false if the message has a delivery row as dead or as waiting for its next attempt; `$1` is
 * the outbox. Delivery rows are only looked up if there are any: an outbox without failures pays one index probe per
 * statement. The lookup is per row and not by EXISTS alone: the planner may answer EXISTS from a hash of all delivery
 * rows, rebuilt for every read, and there may be half a million.
 * Index: primary key of delivery.
 */
export function notDeadSql(messageIdSql: string): string {
  const beside = "outbox_console.delivery d WHERE d.outbox = $1";
  return `(NOT EXISTS (SELECT FROM ${beside}) OR (SELECT true FROM ${beside} AND d.message_id = ${messageIdSql}
    AND (d.dead_at IS NOT NULL OR d.next_attempt_at IS NOT NULL)) IS NULL)`;
}
