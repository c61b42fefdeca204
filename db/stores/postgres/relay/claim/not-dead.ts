/**
 * False for a message that is kept beside its row as dead or as waiting for its next attempt, as SQL over the message
 * id; `$1` is the outbox. What is kept is looked at only when there is anything: an outbox without failures pays one
 * index probe a statement. It is looked up for each row and never by EXISTS alone: that may be answered from a hash of
 * all that is kept, made anew for every read, and there may be half a million.
 * Index: primary key of delivery.
 */
export function notDeadSql(messageIdSql: string): string {
  const beside = "outbox_console.delivery d WHERE d.outbox = $1";
  return `(NOT EXISTS (SELECT FROM ${beside}) OR (SELECT true FROM ${beside} AND d.message_id = ${messageIdSql}
    AND (d.dead_at IS NOT NULL OR d.next_attempt_at IS NOT NULL)) IS NULL)`;
}
