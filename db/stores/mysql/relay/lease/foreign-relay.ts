import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { Lease } from "#db/stores/port/relay/lease.ts";
import { publishedColumn } from "#db/stores/shared/relay/published-column.ts";
import {
  columnSql,
  encodeInstant,
  forced,
  instantExpression,
  quoteLiteral,
  quoteTable,
} from "../../tables/mapping-sql.ts";
import { numberLiteral } from "../literals.ts";
import { orderSql } from "../order-sql.ts";
import { rowInPartitions } from "../partition-sql.ts";
import { messageId, ownName, type RelayContext } from "../relay-context.ts";
import { readTableFacts, type TableFacts } from "../table-facts.ts";
import { wasChangedOver } from "./was-changed-over.ts";

/** Rows read at the end of the table: recently published rows are usually among the newest. */
const TAIL_ROWS = 20_000;
/** Sample size per check while we publish. */
const SAMPLED_ROWS = 1000;

/**
 * Number of rows published in the last minute while none of our relays published. 0 if the table has no publication
 * time, or if our own relays or a change-over were active: then the settle notices foreign rows. An owner counts as
 * active, as it may have published since its last heartbeat or died before its next.
 * Race: none; this is a warning, not a guard.
 */
export async function foreignPublishes(context: RelayContext): Promise<number> {
  const { outbox, own, mapping } = context;
  const column = publishedColumn(context.mapping);
  if (!column) return 0;
  return context.sessions.single(async (session) => {
    const since = "UTC_TIMESTAMP(6) - INTERVAL 2 MINUTE";
    const ours = await session.rows(
      `SELECT 1 FROM ${ownName(own.relayInstance)} WHERE outbox = ${quoteLiteral(outbox)}
         AND (last_published_at > ${since} OR state = 'owner' AND heartbeat_at > ${since}) LIMIT 1`,
    );
    if (ours.length > 0 || (await wasChangedOver(session, outbox))) return 0;
    const recent = recentRows(context, await readTableFacts(session, mapping), { column, windowMs: 60_000 });
    if (recent === null) return 0;
    const [found] = await session.rows(`SELECT COUNT(*) FROM (SELECT 1 FROM ${recent} LIMIT ${SAMPLED_ROWS}) recent`);
    return Number(found?.[0] ?? 0);
  });
}

/** `RelayTable.recentlyPublished`. */
export async function recentlyPublished(
  context: RelayContext,
  { lease, windowMs }: { lease: Lease; windowMs: number },
): Promise<readonly string[]> {
  const { lifecycle } = context.mapping;
  const column = lifecycle.kind === "timestamp" ? publishedColumn(context.mapping) : null;
  const recent = column && recentRows(context, context.facts, { column, windowMs });
  if (!recent) return [];
  const rows = await context.sessions.single((session) =>
    session.rows(
      `SELECT ${messageId(context.mapping)} FROM ${recent} AND ${rowInPartitions(context, lease)} LIMIT ${SAMPLED_ROWS}`,
    ),
  );
  return rows.map(([id]) => id ?? "");
}

/**
 * FROM and WHERE of rows `o` published within the window; null if they cannot be found cheaply. Uses the index on the
 * publication time if there is one, otherwise the end of the table by its order: never more than some thousand rows of
 * a large table.
 */
export function recentRows(
  { mapping }: Pick<RelayContext, "mapping">,
  { publishedIndex, orderIndex, estimatedRows }: TableFacts,
  { column, windowMs }: { column: MappedColumn; windowMs: number },
): string | null {
  const table = quoteTable(mapping.table);
  const since = encodeInstant(
    column,
    `(UTC_TIMESTAMP(6) - INTERVAL ${numberLiteral(Math.round(windowMs * 1000))} MICROSECOND)`,
  );
  const recent = `${columnSql(column, "o")} > ${since} AND ${instantExpression(column, "o")} <= UTC_TIMESTAMP(6) + INTERVAL 1 MINUTE`;
  if (publishedIndex !== null) return `${table} o${forced(publishedIndex)} WHERE ${recent}`;
  if (estimatedRows <= TAIL_ROWS) return `${table} o WHERE ${recent}`;
  if (orderIndex === null || orderIndex.byState) return null;
  const order = orderSql(mapping).columns.map((sql) => `${sql} DESC`);
  return `(SELECT * FROM ${table} o${forced(orderIndex.name)} ORDER BY ${order.join(", ")} LIMIT ${TAIL_ROWS}) o WHERE ${recent}`;
}
