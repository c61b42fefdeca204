import type { PoolClient } from "pg";
import type { CountWithLatest } from "#domain/diagnosis/facts.ts";
import type { MappedColumn } from "../outbox/mapping.ts";
import type { OutboxRef } from "../outbox/outbox-ref.ts";
import {
  columnSql,
  encodeInstant,
  instantExpression,
  instantText,
  quoteTable,
  unsentPredicate,
} from "../outbox/postgres/mapping-sql.ts";
import { wouldScan } from "../outbox/postgres/query-cost.ts";

const CAP = 10_000;

/** Messages scheduled further ahead than `aheadSeconds`. Null where the table has no such column, or looking would scan. */
export async function readScheduledFar(
  client: PoolClient,
  ref: OutboxRef,
  aheadSeconds: number,
): Promise<CountWithLatest | null> {
  const { availableAt } = ref.mapping.columns;
  return availableAt ? readAhead(client, ref, availableAt, aheadSeconds, true) : null;
}

/** Messages whose creation lies in the database's future. Published ones count where an index by creation time leads. */
export async function readClockSkew(
  client: PoolClient,
  ref: OutboxRef,
  aheadSeconds: number,
): Promise<CountWithLatest | null> {
  const { createdAt } = ref.mapping.columns;
  if (!createdAt) return null;
  return (
    (await readAhead(client, ref, createdAt, aheadSeconds, false)) ??
    (await readAhead(client, ref, createdAt, aheadSeconds, true))
  );
}

/** The comparison is made in the column's own encoding, so that its index serves it. Null when it would scan. */
async function readAhead(
  client: PoolClient,
  ref: OutboxRef,
  column: MappedColumn,
  aheadSeconds: number,
  unsentOnly: boolean,
): Promise<CountWithLatest | null> {
  const limit = encodeInstant(column, "clock_timestamp() + make_interval(secs => $1)");
  const sql = `SELECT count(*)::int AS messages, ${instantText("max(at)")} AS "latestAt" FROM (
    SELECT ${instantExpression(column, "t")} AS at FROM ${quoteTable(ref.mapping.table)} t
    WHERE ${columnSql(column, "t")} > (SELECT ${limit}) ${unsentOnly ? `AND ${unsentPredicate(ref.mapping, "t")}` : ""} LIMIT ${CAP + 1}) ahead`;
  if (await wouldScan(client, sql, [aheadSeconds])) return null;
  const { rows } = await client.query<{ messages: number; latestAt: string | null }>(sql, [aheadSeconds]);
  const row = rows[0] ?? { messages: 0, latestAt: null };
  return { ...row, messages: Math.min(row.messages, CAP), capped: row.messages > CAP };
}
