import type { PoolClient } from "pg";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ScanRefused } from "#db/stores/port/scan-refused.ts";
import type { CountWithLatest } from "#domain/diagnosis/facts.ts";
import { partBases, READ_BUDGET } from "../plans/table-access.ts";
import { entriesOf, readGuarded } from "../read/read-entries.ts";
import { columnSql, encodeInstant, instantExpression, instantText, unsentPredicate } from "../tables/mapping-sql.ts";
import { requireReading } from "./require-reading.ts";

/** Messages scheduled further ahead than `aheadSeconds`. Null where the table has no such column. Throws ScanRefused. */
export async function readScheduledFar(
  client: PoolClient,
  ref: OutboxRef,
  aheadSeconds: number,
): Promise<CountWithLatest | null> {
  const { availableAt } = ref.mapping.columns;
  return availableAt ? readAhead(client, ref, { column: availableAt, aheadSeconds, unsentOnly: true }) : null;
}

/** Messages whose creation lies in the database's future. Published ones count where an index by creation time leads. Null without that column. Throws ScanRefused. */
export async function readClockSkew(
  client: PoolClient,
  ref: OutboxRef,
  aheadSeconds: number,
): Promise<CountWithLatest | null> {
  const { createdAt } = ref.mapping.columns;
  if (!createdAt) return null;
  try {
    return await readAhead(client, ref, { column: createdAt, aheadSeconds, unsentOnly: false });
  } catch (error) {
    if (!(error instanceof ScanRefused)) throw error;
    return readAhead(client, ref, { column: createdAt, aheadSeconds, unsentOnly: true });
  }
}

/** The comparison is made in the column's own encoding, so that its index serves it. Throws ScanRefused. */
async function readAhead(
  client: PoolClient,
  ref: OutboxRef,
  { column, aheadSeconds, unsentOnly }: { column: MappedColumn; aheadSeconds: number; unsentOnly: boolean },
): Promise<CountWithLatest> {
  const limit = encodeInstant(column, "clock_timestamp() + make_interval(secs => $1)");
  const isAhead = `${columnSql(column, "t")} > (SELECT ${limit})`;
  const unsent = unsentPredicate(ref.mapping, "t");
  const bases = unsentOnly ? [`${unsent} AND ${isAhead}`, isAhead, ...partBases(ref, "waiting")] : [isAhead];
  const reading = await requireReading(client, ref, { bases, values: [aheadSeconds] });
  const sql = `SELECT count(*)::int AS looked, count(*) FILTER (WHERE ahead)::int AS messages, ${instantText("max(at) FILTER (WHERE ahead)")} AS "latestAt" FROM (
    SELECT ${instantExpression(column, "t")} AS at, ${isAhead} ${unsentOnly ? `AND ${unsent}` : ""} AS ahead
    FROM ${entriesOf(ref, reading, null)} t) looked`;
  type Row = { looked: number; messages: number; latestAt: string | null };
  const read = async () => (await client.query<Row>(sql, [aheadSeconds])).rows[0];
  const { looked, ...row } = (await readGuarded(client, reading, read)) ?? { looked: 0, messages: 0, latestAt: null };
  const all = reading.kind === "whole" || looked < READ_BUDGET;
  if (!all && row.messages === 0)
    throw new ScanRefused(`None is among the first ${READ_BUDGET} messages, and there are more.`);
  return { ...row, capped: !all };
}
