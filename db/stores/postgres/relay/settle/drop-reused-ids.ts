import { FORGOTTEN, type ReusedIds } from "#db/stores/port/relay/reused-ids.ts";
import { columnSql, instantExpression, quoteLiteral, quoteTable } from "#db/stores/postgres/tables/mapping-sql.ts";
import type { RelayContext } from "../relay-context.ts";

/** Records per statement: some ten milliseconds. */
export const STEP_RECORDS = 2000;
/** Types of keys that a sequence restart gives again. */
const COUNTED = /^(smallint|integer|bigint)$/;
/** When the record's message was last known to be there; null for one that never failed. */
const LAST_SEEN = "greatest(d.last_failed_at, d.dead_at)";

/**
 * `RelayTable.dropReusedIds`. The audit keeps dropped records. Index: primary keys of delivery and of the table. Race:
 * a settle or an operator writes the record meanwhile. The DELETE then compares it again and keeps it, because it is no
 * longer older than the row.
 */
export async function dropReusedIds(context: RelayContext, after: string | null): Promise<ReusedIds> {
  const statement = dropStatement(context);
  if (statement === null) return { dropped: 0, next: null };
  const { rows } = await context.sessions.single("drop-reused", statement, [context.outbox, after ?? ""]);
  const [dropped, next] = rows[0] ?? [];
  return { dropped: Number(dropped), next: next ?? null };
}

/**
 * A row is another message than the record's if it was created at another time, and after the record's last failure. A
 * team that merely writes a new creation time into a row gives it no new number: the row before it is then older,
 * unless it is gone.
 */
function dropStatement({ mapping, mark }: RelayContext): string | null {
  const { createdAt } = mapping.columns;
  const [key] = mapping.primaryKey;
  // Without marks the record is the only copy of its message.
  if (mark === "none" || !createdAt || !key || mapping.primaryKey.length > 1 || !COUNTED.test(key.type)) return null;
  const { actor, action, outcome, reason, stateAfter } = FORGOTTEN;
  const table = quoteTable(mapping.table);
  const id = (alias: string) => columnSql(key, alias);
  const created = (alias: string) => instantExpression(createdAt, alias);
  return `
WITH page AS MATERIALIZED (
  SELECT message_id, created_at, ${LAST_SEEN} AS seen_at FROM outbox_console.delivery d
  WHERE outbox = $1 AND message_id > $2 ORDER BY message_id LIMIT ${STEP_RECORDS}
), reused AS (
  SELECT p.message_id, ${created("o")} AS created_at FROM page p JOIN ${table} o ON ${id("o")} = p.message_id::${key.type}
  WHERE ${created("o")} <> p.created_at AND ${created("o")} > p.seen_at
    AND (SELECT ${created("b")} > p.seen_at FROM ${table} b WHERE ${id("b")} < ${id("o")} ORDER BY ${id("b")} DESC LIMIT 1) IS NOT FALSE
), dropped AS (
  DELETE FROM outbox_console.delivery d USING reused r
  WHERE d.outbox = $1 AND d.message_id = r.message_id AND r.created_at > ${LAST_SEEN} RETURNING d.*
), audited AS (
  INSERT INTO outbox_console.audit (actor, role, action, outbox, message_id, outcome, reason, state_before, state_after, detail)
  SELECT ${[actor.name, actor.role, action].map(quoteLiteral).join(", ")}, outbox, message_id, ${[outcome, reason].map(quoteLiteral).join(", ")},
    CASE WHEN dead_at IS NULL THEN 'failed' ELSE 'dead' END, ${quoteLiteral(stateAfter)},
    'created at ' || created_at || ', attempts ' || attempts || coalesce(': ' || last_error, '')
  FROM dropped
)
SELECT (SELECT count(*) FROM dropped)::text, (SELECT max(message_id) FROM page HAVING count(*) = ${STEP_RECORDS})`;
}
