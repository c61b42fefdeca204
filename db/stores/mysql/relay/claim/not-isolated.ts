import { ORPHANED_TO_ISOLATE } from "#db/stores/shared/relay/quarantine.ts";
import { quoteLiteral } from "../../tables/mapping-sql.ts";
import { messageIdBytes, ownName, type StatementContext } from "../relay-context.ts";

/**
 * SQL: false for a quarantined message. `id`: its id as bytes; by default that of row `o`. Suspects are only looked up
 * if there are any: an outbox without them pays one index probe per statement. Index: primary key of suspect.
 */
export function notIsolatedSql(context: StatementContext, id = messageIdBytes(context.mapping)): string {
  const isolated = `${ownName(context.own.suspect)} s WHERE s.outbox = ${quoteLiteral(context.outbox)} AND s.orphaned >= ${ORPHANED_TO_ISOLATE}`;
  return `(NOT EXISTS (SELECT 1 FROM ${isolated}) OR (SELECT 1 FROM ${isolated} AND s.message_id = ${id}) IS NULL)`;
}
