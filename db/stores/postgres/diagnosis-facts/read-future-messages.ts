import { sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { PoolClient } from "pg";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ScanRefused } from "#db/stores/port/scan-refused.ts";
import { all } from "#db/stores/shared/states/conditions.ts";
import { unsent } from "#db/stores/shared/states/state-predicates.ts";
import type { CountWithLatest } from "#domain/diagnosis/facts/messages.ts";
import { queryOn } from "../connection/query-on.ts";
import { partBases, READ_BUDGET } from "../plans/table-access.ts";
import { entriesOf, readGuarded } from "../read/read-entries.ts";
import { encodeInstant, instantOf, instantText } from "../tables/column-values.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { requireReading } from "./require-reading.ts";

/** Messages scheduled further ahead than `aheadSeconds`. Null without such a column. Throws ScanRefused. */
export async function readScheduledFar(
  client: PoolClient,
  ref: OutboxRef,
  aheadSeconds: number,
): Promise<CountWithLatest | null> {
  const { availableAt } = ref.mapping.columns;
  return availableAt ? readAhead(client, ref, { column: availableAt, aheadSeconds, unsentOnly: true }) : null;
}

/**
 * Messages with a creation time in the database's future. Includes published ones if an index on the creation time
 * exists. Null without that column. Throws ScanRefused.
 */
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

/** Compares in the column's own encoding, so that its index serves it. Throws ScanRefused. */
async function readAhead(
  client: PoolClient,
  ref: OutboxRef,
  { column, aheadSeconds, unsentOnly }: { column: MappedColumn; aheadSeconds: number; unsentOnly: boolean },
): Promise<CountWithLatest> {
  const db = queryOn(client);
  const outbox = outboxTable(ref.mapping);
  const limit = encodeInstant(column, sql`clock_timestamp() + make_interval(secs => ${aheadSeconds})`);
  const isAhead = sql`${outbox.column(column)} > (SELECT ${limit})`;
  const wanted = unsentOnly ? all(unsent(outbox), isAhead) : isAhead;
  const bases = unsentOnly ? [wanted, isAhead, ...partBases(ref, "waiting")] : [isAhead];
  const reading = await requireReading(client, ref, bases);
  const looked = db
    .select({ at: sql`${instantOf(outbox, column)}`.as("at"), ahead: sql`${wanted}`.as("ahead") })
    .from(entriesOf(client, ref, reading, []) as PgTable)
    .as("looked");
  const query = db
    .select({
      looked: sql<number>`count(*)::int`,
      messages: sql<number>`count(*) FILTER (WHERE ahead)::int`,
      latestAt: instantText(sql`max(at) FILTER (WHERE ahead)`),
    })
    .from(looked);
  const [found] = await readGuarded(client, reading, () => query);
  const { looked: entries, ...row } = found ?? { looked: 0, messages: 0, latestAt: null };
  const isAll = reading.kind === "whole" || entries < READ_BUDGET;
  if (!isAll && row.messages === 0)
    throw new ScanRefused(`None is among the first ${READ_BUDGET} messages, and there are more.`);
  return { ...row, capped: !isAll };
}
