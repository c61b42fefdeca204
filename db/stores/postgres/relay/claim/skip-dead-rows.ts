import type { Skipped } from "#db/stores/port/relay/claim.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import { columnSql, instantExpression, quoteTable, unsentPredicate } from "#db/stores/postgres/tables/mapping-sql.ts";
import { orderOf } from "#db/stores/shared/relay/order-of.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import { messageId, orderSql, type RelayContext } from "../relay-context.ts";
import { TransactionHorizon } from "../transaction-horizon.ts";
import { CLOSING } from "./claim-transaction.ts";
import { fromPosition } from "./claimable.ts";
import { tableXminSql } from "./writers.ts";

/** Up to this many dead or waiting rows, the read itself passes them in a few milliseconds. */
export const MANY_BESIDE = 5000;
/** Unsent rows per statement. */
const MOST_SKIPPED = 1_000_000;

/** A nested loop takes some 5 µs per row; a hash join handles half a million rows in half a second. */
const BY_HASH = "SET LOCAL enable_hashjoin = on; SET LOCAL enable_nestloop = off";

/**
 * The last row of the run from `after` on in which every row is dead or waits for a retry: a read that begins behind it
 * misses nothing if `closed`. Null if there are few such rows, if the first row is publishable, or if rows have no
 * creation time. Index: as for the claim; primary key of delivery. Race: a skipped row that is taken up again later is
 * a retry, which reads do not find anyway. A transaction that is still open may commit a row into the run before the
 * next read, and a newer message of its aggregate behind the run: unless `closed`, the reader asks again once it has
 * read.
 */
export async function skipDeadRows(context: RelayContext, after: OrderKey | null): Promise<Skipped | null> {
  const { createdAt } = context.mapping.columns;
  if (!createdAt) return null;
  const many = await context.sessions.single("skip-many", MANY, [context.outbox]);
  if (many.rows.length === 0) return null;
  return context.sessions.transaction({
    opening: [BY_HASH, `SELECT xmin::text, ${tableXminSql(context.mapping)}, xmax::text FROM ${SNAPSHOT}`],
    closing: [CLOSING],
    work: async (session, opened, close) => {
      const variant = after === null ? "start" : "after";
      const statement = skipStatement(context, after === null, instantExpression(createdAt, "o"));
      const parameters = [context.outbox, ...(after ?? [null, null])];
      const { rows } = await session.query(`skip-${variant}`, statement, parameters);
      const [closed] = await close();
      const reached = orderOf(rows[0]);
      const createdAtMs = rows[0]?.[2];
      if (reached === null || createdAtMs == null) return null;
      const [xmin, writersXmin, begunXmax] = opened.at(-1)?.[0] ?? [];
      const [xmax, databaseTimeMs] = closed?.[0] ?? [];
      const writers = writersXmin == null ? null : BigInt(writersXmin);
      return {
        reached,
        horizon: new TransactionHorizon(BigInt(xmin ?? 0), BigInt(xmax ?? 0), writers),
        ageMs: Number(databaseTimeMs) - Number(createdAtMs),
        closed: writers !== null && writers >= BigInt(begunXmax ?? 0),
      };
    },
  });
}

const SNAPSHOT =
  "(SELECT pg_snapshot_xmin(pg_current_snapshot()) AS xmin, pg_snapshot_xmax(pg_current_snapshot()) AS xmax) AS snapshot";
const KEPT = "d.dead_at IS NOT NULL OR d.next_attempt_at IS NOT NULL";
const MANY = `SELECT FROM outbox_console.delivery d WHERE d.outbox = $1 AND (${KEPT}) OFFSET ${MANY_BESIDE} LIMIT 1`;

/** The row before the first publishable one; if there is none among MOST_SKIPPED rows, the last of them. */
function skipStatement(context: RelayContext, fromStart: boolean, createdAt: string): string {
  const { mapping } = context;
  const order = orderSql(mapping);
  const position = [orderColumn(mapping), mapping.columns.id].map((column) => `${columnSql(column, "o")}::text`);
  const keys = order.columns.map((sql, index) => `${sql} AS k${index}`);
  const unsent = (columns: readonly string[], rest: string) =>
    `SELECT ${columns.join(", ")} FROM ${quoteTable(mapping.table)} o
     WHERE ${unsentPredicate(mapping, "o")} AND ${fromPosition(order, { fromStart }, 2)} ${rest}`;
  const by = (direction: string) => order.columns.map((_, index) => `k${index} ${direction}`).join(", ");
  const backwards = order.columns.map((sql) => `${sql} DESC`).join(", ");
  const first = order.columns.map((_, index) => `(SELECT k${index} FROM first)`);
  const row = [...position.map((sql, index) => `${sql} AS p${index}`), `${createdAt} AS created_at`];
  const looked = `ORDER BY ${order.orderBy} LIMIT ${MOST_SKIPPED}`;
  return `
WITH first AS MATERIALIZED (
  SELECT * FROM (${unsent([...keys, `${messageId(mapping)} AS id`], looked)}) u
  WHERE NOT EXISTS (SELECT FROM outbox_console.delivery d WHERE d.outbox = $1 AND d.message_id = u.id AND (${KEPT}))
  ORDER BY ${by("")} LIMIT 1
)
SELECT p0, p1, (extract(epoch FROM created_at) * 1000)::float8::text FROM (
  (${unsent(row, `AND (${order.columns.join(", ")}) < (${first.join(", ")}) ORDER BY ${backwards} LIMIT 1`)})
  UNION ALL
  (SELECT p0, p1, created_at FROM (${unsent([...keys, ...row], looked)}) o
   WHERE NOT EXISTS (SELECT FROM first) ORDER BY ${by("DESC")} LIMIT 1)
) o`;
}
