import type { MappedColumn } from "#db/stores/port/mapping.ts";
import { FORGOTTEN, type ReusedIds } from "#db/stores/port/relay/reused-ids.ts";
import { isUnsigned, kindOf } from "../../tables/column-kinds.ts";
import { columnSql, instantExpression, quoteLiteral, quoteTable } from "../../tables/mapping-sql.ts";
import { textList } from "../literals.ts";
import { ownName, type RelayContext } from "../relay-context.ts";

/** Records per statement: some ten milliseconds. */
export const STEP_RECORDS = 2000;
/** When the record's message was last known to be there; null for one that never failed. */
const LAST_SEEN = "COALESCE(GREATEST(d.last_failed_at, d.dead_at), d.last_failed_at, d.dead_at)";

/**
 * `RelayTable.dropReusedIds`. A row is a different message if it was created at another time than the record's message,
 * and after the record's last failure. If a team only wrote a new creation time into a row, the row before it by number
 * is older, unless it is gone. Index: primary keys of delivery and of the table. Race: a settle or an operator who
 * writes the record meanwhile: it is then younger than all that were read, and stays.
 */
export async function dropReusedIds(context: RelayContext, after: string | null): Promise<ReusedIds> {
  const { sessions, own, outbox } = context;
  const key = countedKey(context);
  const { createdAt } = context.mapping.columns;
  if (!key || !createdAt) return { dropped: 0, next: null };
  const delivery = ownName(own.delivery);
  const page = `FROM ${delivery} d WHERE d.outbox = ${quoteLiteral(outbox)} AND d.message_id > ${quoteLiteral(after ?? "")} ORDER BY d.message_id`;
  const [last, reused] = await sessions.single((session) =>
    session.script([
      `SELECT d.message_id ${page} LIMIT ${STEP_RECORDS - 1}, 1`,
      reusedSql(context, key, createdAt, page),
    ]),
  );
  const next = last?.rows[0]?.[0] ?? null;
  const rows = reused?.rows ?? [];
  if (rows.length === 0) return { dropped: 0, next };
  const ids = rows.map(([id]) => id ?? "");
  const seen = rows.map(([, at]) => at ?? "").reduce((left, right) => (left > right ? left : right));
  const old = `d.outbox = ${quoteLiteral(outbox)} AND d.message_id IN ${textList(ids)} AND ${LAST_SEEN} <= ${quoteLiteral(seen)}`;
  const results = await sessions.once([
    `SELECT d.message_id FROM ${delivery} d WHERE ${old} FOR UPDATE`,
    auditSql(context, old),
    `DELETE d FROM ${delivery} d WHERE ${old}`,
  ]);
  return { dropped: results.at(-1)?.affectedRows ?? 0, next };
}

/** The audit keeps dropped records. `old`: SQL over record `d`. */
function auditSql({ own }: RelayContext, old: string): string {
  const { actor, action, outcome, reason, stateAfter } = FORGOTTEN;
  const told = [actor.name, actor.role, action, outcome, reason, stateAfter].map(quoteLiteral);
  return `INSERT INTO ${ownName(own.audit)} (at, actor, role, action, outcome, reason, state_after, outbox, message_id, state_before, detail)
    SELECT UTC_TIMESTAMP(6), ${told.join(", ")}, d.outbox, d.message_id, IF(d.dead_at IS NULL, 'failed', 'dead'),
      CONCAT('created at ', COALESCE(d.created_at, ''), ', attempts ', d.attempts, COALESCE(CONCAT(': ', d.last_error), ''))
    FROM ${ownName(own.delivery)} d WHERE ${old}`;
}

/** Null if a restarted sequence cannot repeat a key, or if a repeated key could not be recognised. */
function countedKey({ mapping, mark, facts }: RelayContext): MappedColumn | null {
  const [key] = mapping.primaryKey;
  // Without marks the record is the only copy of its message.
  if (mark === "none" || facts.redated || !key || mapping.primaryKey.length > 1) return null;
  return kindOf(key.type) === "integer" ? key : null;
}

function reusedSql({ mapping }: RelayContext, key: MappedColumn, createdAt: MappedColumn, page: string): string {
  const table = quoteTable(mapping.table);
  const id = (alias: string) => columnSql(key, alias);
  const created = (alias: string) => instantExpression(createdAt, alias);
  const number = `CAST(CONVERT(p.message_id USING utf8mb4) AS ${isUnsigned(key.type) ? "UNSIGNED" : "SIGNED"})`;
  const before = `(SELECT ${created("b")} > p.seen_at FROM ${table} b WHERE ${id("b")} < ${id("o")} ORDER BY ${id("b")} DESC LIMIT 1)`;
  return `SELECT p.message_id, p.seen_at
    FROM (SELECT d.message_id, d.created_at, ${LAST_SEEN} AS seen_at ${page} LIMIT ${STEP_RECORDS}) p
    STRAIGHT_JOIN ${table} o ON ${id("o")} = ${number}
    WHERE ${created("o")} <> p.created_at AND ${created("o")} > p.seen_at AND COALESCE(${before}, TRUE)`;
}
