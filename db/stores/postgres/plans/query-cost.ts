import type { PoolClient } from "pg";
import { AppError } from "#domain/errors.ts";

/**
 * Planner cost from which a count is not made, because it would read most of a large table. A scan of a million narrow
 * rows costs about 25,000; 50,000 rows by an index that does not follow the table as much.
 */
export const MOST_COST = 40_000;
/** A filtered page by an index costs a few hundred; above this it reads some 100,000 rows to find fifty. */
export const MOST_FILTER_COST = 12_000;

interface ExplainRow {
  "QUERY PLAN": { Plan: { "Total Cost": number } }[];
}

export async function planCost(client: PoolClient, sql: string, values: readonly unknown[]): Promise<number> {
  const explained = await client.query<ExplainRow>({ text: `EXPLAIN (FORMAT JSON) ${sql}`, values: [...values] });
  return explained.rows[0]?.["QUERY PLAN"][0]?.Plan["Total Cost"] ?? 0;
}

/** Throws: filter_not_indexed, naming the index that would help. */
export async function refuseScan(
  client: PoolClient,
  sql: string,
  values: readonly unknown[],
  helpfulIndex: string,
  most = MOST_COST,
): Promise<void> {
  if ((await planCost(client, sql, values)) > most) throw scanRefused(helpfulIndex);
}

export function scanRefused(helpfulIndex: string): AppError {
  return new AppError(
    "filter_not_indexed",
    "This list would read the whole table. Narrow it by a state or a time range, or create the index named in the details.",
    { details: { index: helpfulIndex } },
  );
}

export async function wouldScan(client: PoolClient, sql: string, values: readonly unknown[]): Promise<boolean> {
  return (await planCost(client, sql, values)) > MOST_COST;
}
