import { ORPHANED_TO_ISOLATE } from "#db/stores/shared/relay/quarantine.ts";

/**
 * SQL over the message id: false for a quarantined message; `$1` is the outbox. Suspects are only looked up if there
 * are any: an outbox without them pays one index probe per statement.
 * Index: primary key of suspect.
 */
export function notIsolatedSql(messageIdSql: string): string {
  const isolated = `outbox_console.suspect s WHERE s.outbox = $1 AND s.orphaned >= ${ORPHANED_TO_ISOLATE}`;
  return `(NOT EXISTS (SELECT FROM ${isolated}) OR (SELECT true FROM ${isolated} AND s.message_id = ${messageIdSql}) IS NULL)`;
}
