import { type SQL, sql } from "drizzle-orm";
import type { MySqlTable } from "drizzle-orm/mysql-core";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ScanRefused } from "#db/stores/port/scan-refused.ts";
import { all, isTrue } from "#db/stores/shared/states/conditions.ts";
import { unsent } from "#db/stores/shared/states/state-predicates.ts";
import type { CountWithLatest } from "#domain/diagnosis/facts/messages.ts";
import type { Session } from "../connection/session.ts";
import { partBases, READ_BUDGET } from "../plans/table-access.ts";
import { entriesOf } from "../read/read-entries.ts";
import { asNumber, encodeInstant, instantOf, instantText, NOW } from "../tables/column-values.ts";
import { both, type Piece } from "../tables/index-pieces.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { requireReading } from "./require-reading.ts";

/** Messages scheduled further ahead than `aheadSeconds`. Null without such a column. Throws ScanRefused. */
export async function readScheduledFar(
  session: Session,
  ref: OutboxRef,
  aheadSeconds: number,
): Promise<CountWithLatest | null> {
  const { availableAt } = ref.mapping.columns;
  return availableAt ? readAhead(session, ref, { column: availableAt, aheadSeconds, unsentOnly: true }) : null;
}

/**
 * Messages with a creation time in the database's future. Includes published ones if an index on the creation time
 * exists. Null without that column. Throws ScanRefused.
 */
export async function readClockSkew(
  session: Session,
  ref: OutboxRef,
  aheadSeconds: number,
): Promise<CountWithLatest | null> {
  const { createdAt } = ref.mapping.columns;
  if (!createdAt) return null;
  try {
    return await readAhead(session, ref, { column: createdAt, aheadSeconds, unsentOnly: false });
  } catch (error) {
    if (!(error instanceof ScanRefused)) throw error;
    return readAhead(session, ref, { column: createdAt, aheadSeconds, unsentOnly: true });
  }
}

/** Compares in the column's own encoding, so that its index serves it. Throws ScanRefused. */
async function readAhead(
  session: Session,
  ref: OutboxRef,
  { column, aheadSeconds, unsentOnly }: { column: MappedColumn; aheadSeconds: number; unsentOnly: boolean },
): Promise<CountWithLatest> {
  const { db } = session;
  const outbox = outboxTable(ref.mapping);
  const limit = encodeInstant(column, sql`(${NOW} + INTERVAL ${aheadSeconds} SECOND)`);
  const isAhead: SQL = sql`${outbox.column(column)} > ${limit}`;
  const wanted = unsentOnly ? all(unsent(outbox), isAhead) : isAhead;
  const ahead: Piece = { where: isAhead, columns: [{ name: column.name, one: false }] };
  const waiting = partBases(ref, "waiting");
  const bases = unsentOnly ? [...waiting.map((pieces) => both(pieces, ahead)), [ahead], ...waiting] : [[ahead]];
  const reading = await requireReading(session, ref, bases);
  const looked = db
    .select({ at: sql`${instantOf(outbox, column)}`.as("at"), ahead: isTrue(wanted).as("ahead") })
    .from(entriesOf(ref, reading) as unknown as MySqlTable)
    .as("looked");
  const [found] = await db
    .select({
      looked: asNumber(sql`COUNT(*)`),
      messages: asNumber(sql`COUNT(CASE WHEN ahead THEN 1 END)`),
      latestAt: instantText(sql`MAX(CASE WHEN ahead THEN at END)`),
    })
    .from(looked);
  const { looked: entries, ...row } = found ?? { looked: 0, messages: 0, latestAt: null };
  const isAll = reading.kind === "whole" || entries < READ_BUDGET;
  if (!isAll && row.messages === 0)
    throw new ScanRefused(`None is among the first ${READ_BUDGET} messages, and there are more.`);
  return { ...row, capped: !isAll };
}
