import type { SQL } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ScanRefused } from "#db/stores/port/scan-refused.ts";
import type { TablePart } from "#db/stores/shared/tables/table-part.ts";
import { type Reading, readingBy, readingOf } from "../plans/table-access.ts";

export type BoundedReading = Exclude<Reading, { kind: "none" }>;

/** How to read the rows of a part. Throws ScanRefused without an index: the result is then unknown, not empty. */
export async function requirePart(
  client: PoolClient,
  ref: OutboxRef,
  part: TablePart,
  order?: readonly SQL[],
): Promise<BoundedReading> {
  const reading = await readingOf(client, ref, part, order ? { order } : {});
  if (reading.kind === "none") throw new ScanRefused();
  return reading;
}

/**
 * How to read rows by these conditions, narrowest first; each holds for every wanted row. The check costs the scan
 * without a LIMIT: if no row matches, a LIMIT does not stop a scan before the end of the table. Throws ScanRefused.
 */
export async function requireReading(
  client: PoolClient,
  ref: OutboxRef,
  bases: readonly SQL[],
): Promise<BoundedReading> {
  const reading = await readingBy(client, ref, bases);
  if (reading.kind === "none") throw new ScanRefused();
  return reading;
}
