import type { PoolClient } from "pg";
import { AppError } from "#domain/errors.ts";

/**
 * Planner cost from which a list or count is refused, because it would read most of a large table. A scan of a
 * million narrow rows costs about 25,000; a page by an index a few hundred.
 */
const MOST_COST = 40_000;

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
): Promise<void> {
  if ((await planCost(client, sql, values)) <= MOST_COST) return;
  throw new AppError(
    "filter_not_indexed",
    "This filter would read the whole table. Add a state or a time range, or create the index named in the details.",
    { details: { index: helpfulIndex } },
  );
}

export async function wouldScan(client: PoolClient, sql: string, values: readonly unknown[]): Promise<boolean> {
  return (await planCost(client, sql, values)) > MOST_COST;
}
