import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ScanRefused } from "#db/stores/port/scan-refused.ts";
import type { TablePart } from "#db/stores/shared/tables/table-part.ts";
import type { Session } from "../connection/session.ts";
import { bestForCount } from "../plans/find-access.ts";
import { accessesOf, deliveryOrder, isAffordable, isSmall, type Reading, readingOf } from "../plans/table-access.ts";
import type { Pieces } from "../tables/index-pieces.ts";

export type BoundedReading = Exclude<Reading, { kind: "none" }>;

/** How to read the rows of a part. Throws ScanRefused without an index: the result is then unknown, not empty. */
export async function requirePart(session: Session, ref: OutboxRef, part: TablePart): Promise<BoundedReading> {
  const reading = await readingOf(session, ref, part);
  if (reading.kind === "none") throw new ScanRefused();
  return reading;
}

/**
 * How to read rows by these searches, narrowest first; each covers every wanted row. Throws ScanRefused if no
 * index has one of them and the table is large.
 */
export async function requireReading(
  session: Session,
  ref: OutboxRef,
  bases: readonly Pieces[],
): Promise<BoundedReading> {
  const reading = await readingBy(session, ref, bases);
  if (reading.kind === "none") throw new ScanRefused();
  return reading;
}

/** The same, without the error. */
export async function readingBy(session: Session, ref: OutboxRef, bases: readonly Pieces[]): Promise<Reading> {
  if (await isSmall(session, ref)) return { kind: "whole" };
  const access = bestForCount(await accessesOf(session, ref, { bases, order: deliveryOrder(ref) }));
  // Entries are read by the key: without one only a scan is possible.
  if (access && ref.mapping.primaryKey.length > 0) return { kind: "index", access };
  return (await isAffordable(session, ref)) ? { kind: "whole" } : { kind: "none" };
}
