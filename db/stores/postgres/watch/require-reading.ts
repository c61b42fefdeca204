import { type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ScanRefused } from "#db/stores/port/scan-refused.ts";
import { ALWAYS } from "#db/stores/shared/conditions.ts";
import { queryOn } from "../connection/query-on.ts";
import { findAccess } from "../plans/find-access.ts";
import { wouldScan } from "../plans/query-cost.ts";
import { deliveryOrder, isSmall, type Reading, readingOf, type TablePart } from "../plans/table-access.ts";
import { outboxTable } from "../tables/outbox-table.ts";

export type BoundedReading = Exclude<Reading, { kind: "none" }>;

/** How to read the rows of a part. Throws ScanRefused without an index: the result is then unknown, not empty. */
export async function requirePart(client: PoolClient, ref: OutboxRef, part: TablePart): Promise<BoundedReading> {
  const reading = await readingOf(client, ref, part);
  if (reading.kind === "none") throw new ScanRefused();
  return reading;
}

/**
 * How to read rows by these conditions, narrowest first; every wanted row meets each of them. The check costs the scan
 * without a LIMIT: if no row matches, a LIMIT does not stop a scan before the end of the table. Throws ScanRefused.
 */
export async function requireReading(
  client: PoolClient,
  ref: OutboxRef,
  bases: readonly SQL[],
): Promise<BoundedReading> {
  if (await isSmall(client, ref)) return { kind: "whole" };
  const access = await findAccess(client, ref, { bases, order: deliveryOrder(ref) });
  if (access) return { kind: "index", access };
  const { rows } = outboxTable(ref.mapping);
  const scan = queryOn(client)
    .select({ one: sql`1` })
    .from(rows)
    .where(bases.at(-1) ?? ALWAYS);
  if (await wouldScan(client, scan)) throw new ScanRefused();
  return { kind: "whole" };
}
