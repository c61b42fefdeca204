import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ScanRefused } from "#db/stores/port/scan-refused.ts";
import { findAccess } from "../plans/find-access.ts";
import { wouldScan } from "../plans/query-cost.ts";
import { isSmall, type Reading, readingOf, type TablePart } from "../plans/table-access.ts";
import { columnSql, orderColumn, quoteTable } from "../tables/mapping-sql.ts";
import { namingAll } from "../tables/naming-all.ts";

export type BoundedReading = Exclude<Reading, { kind: "none" }>;

/** How the rows of a part can be read. Throws ScanRefused where no index leads to them: then they are not known, which is not "none". */
export async function requirePart(client: PoolClient, ref: OutboxRef, part: TablePart): Promise<BoundedReading> {
  const reading = await readingOf(client, ref, part);
  if (reading.kind === "none") throw new ScanRefused();
  return reading;
}

/**
 * How rows of these conditions can be read, the narrowest first; each holds for every row that is wanted. A plan's cost
 * under a LIMIT is no guard: of rows that are not there a scan reads the table to its end. Throws ScanRefused.
 */
export async function requireReading(
  client: PoolClient,
  ref: OutboxRef,
  query: { bases: readonly string[]; values?: readonly unknown[] },
): Promise<BoundedReading> {
  if (await isSmall(client, ref)) return { kind: "whole" };
  const { bases, values = [] } = query;
  const access = await findAccess(client, ref, { ...query, order: columnSql(orderColumn(ref.mapping), "t") });
  if (access) return { kind: "index", access };
  const scan = `SELECT 1 FROM ${quoteTable(ref.mapping.table)} t WHERE ${bases.at(-1) ?? "true"}`;
  if (await wouldScan(client, namingAll(scan, values), values)) throw new ScanRefused();
  return { kind: "whole" };
}
