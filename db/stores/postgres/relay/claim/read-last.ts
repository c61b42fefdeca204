import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import type { RelaySession } from "#db/stores/postgres/connection/sessions.ts";
import {
  columnSql,
  encodeInstant,
  quoteLiteral,
  quoteTable,
  unsentPredicate,
} from "#db/stores/postgres/tables/mapping-sql.ts";
import { orderOf } from "#db/stores/shared/relay/order-of.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import { orderSql, type RelayContext } from "../relay-context.ts";

/** Indexes are created by hand. */
const LOOKED_EVERY_MS = 30_000;
const NUMBER = /^(?:bigint|integer|smallint|numeric\b.*)$/;

/** A scan of a smaller table costs next to nothing. */
const LARGE_BYTES = 8 * 1024 * 1024;

/**
 * Which row is found at the end of an index: the last unsent one, or the last of all. Null: a large table would be
 * scanned.
 */
type LastRow = "unsent" | "any" | null;

const known = new WeakMap<RelayContext, { until: number; row: LastRow }>();

/**
 * The position of the last row: there is no unsent one above it. Includes rows of other partitions: the mark passes
 * them as it passes withheld rows, and searching for a row of ours could walk their whole backlog. Null where it takes
 * a scan, from which no read would be spared. Index: as for the claim, backwards; or one of all rows in their order.
 */
export async function readLast(session: RelaySession, context: RelayContext): Promise<OrderKey | null> {
  const row = await lastRowOf(session, context);
  if (row === null) return null;
  const { mapping } = context;
  const position = [orderColumn(mapping), mapping.columns.id].map((column) => `${columnSql(column, "o")}::text`);
  const order = orderSql(mapping).columns.map((column) => `${column} DESC`);
  const where = row === "any" ? notLater(mapping) : unsentPredicate(mapping, "o");
  const { rows } = await session.query(
    `claim-last-${row}`,
    `SELECT ${position.join(", ")} FROM ${quoteTable(mapping.table)} o WHERE ${where} ORDER BY ${order.join(", ")} LIMIT 1`,
    [],
  );
  return orderOf(rows[0]);
}

/** A row that a wrong clock has dated ahead would put all new rows below the mark. */
function notLater(mapping: OutboxMapping): string {
  const order = orderColumn(mapping);
  const column = columnSql(order, "o");
  return order.time ? `${column} <= ${encodeInstant(order, "statement_timestamp()")}` : `${column} IS NOT NULL`;
}

async function lastRowOf(session: RelaySession, context: RelayContext): Promise<LastRow> {
  const found = known.get(context);
  if (found && performance.now() < found.until) return found.row;
  const row = await lookForIndexes(session, context.mapping);
  known.set(context, { until: performance.now() + LOOKED_EVERY_MS, row });
  return row;
}

/** An index may find unsent rows if it is partial, or begins with another column than the order or the key. */
async function lookForIndexes(session: RelaySession, mapping: OutboxMapping): Promise<LastRow> {
  const order = orderColumn(mapping);
  const others = [order, ...mapping.primaryKey].map(({ name }) => quoteLiteral(name)).join(", ");
  const [[indexes] = []] = await session.script(
    `SELECT bool_or(i.indpred IS NOT NULL OR a.attname IS NULL OR a.attname NOT IN (${others}))::text,
       bool_or(i.indpred IS NULL AND a.attname = ${quoteLiteral(order.name)})::text,
       (max(pg_relation_size(i.indrelid)) < ${LARGE_BYTES})::text
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam
     LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
     WHERE i.indrelid = ${quoteLiteral(quoteTable(mapping.table))}::regclass AND i.indisvalid AND m.amname = 'btree'`,
  );
  const [ofSome, ofAll, isSmall] = indexes ?? [];
  if (ofSome === "true") return "unsent";
  if (ofAll !== "true") return isSmall === "true" ? "unsent" : null;
  // Texts need not grow with time.
  return order.time || NUMBER.test(order.type) ? "any" : "unsent";
}
