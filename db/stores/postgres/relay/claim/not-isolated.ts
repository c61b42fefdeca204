/** Once can happen to any message of a relay that is killed; twice is worth a look at each of them alone. */
export const ORPHANED_TO_ISOLATE = 2;

/**
 * False for a message that may only be published alone, as SQL over the message id; `$1` is the outbox. The table is
 * looked at row by row only when there is anything: an outbox without such messages pays one index probe a statement.
 * Index: primary key of suspect.
 */
export function notIsolatedSql(messageIdSql: string): string {
  const isolated = `outbox_console.suspect s WHERE s.outbox = $1 AND s.orphaned >= ${ORPHANED_TO_ISOLATE}`;
  return `(NOT EXISTS (SELECT FROM ${isolated}) OR (SELECT true FROM ${isolated} AND s.message_id = ${messageIdSql}) IS NULL)`;
}
