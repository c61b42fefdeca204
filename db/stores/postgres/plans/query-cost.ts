import { type SQLWrapper, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import { scanRefused } from "#db/stores/shared/read/scan-refused.ts";
import { queryOn } from "../connection/query-on.ts";
import type { PlanNode } from "./plan-scans.ts";

/**
 * Planner cost above which nothing is counted, because it would read most of a large table. A scan of a million narrow
 * rows costs about 25,000, as do 50,000 rows by an index whose order does not follow the table's.
 */
export const MOST_COST = 40_000;
/** A filtered page by an index costs a few hundred; above this it would read some 100,000 rows to find fifty. */
export const MOST_FILTER_COST = 12_000;

/** The plan of a query, without running it. */
export async function explain(client: PoolClient, query: SQLWrapper): Promise<PlanNode> {
  const { rows } = await queryOn(client).execute<ExplainRow>(sql`EXPLAIN (FORMAT JSON) ${query}`);
  return planOf(rows);
}

/** The same for a statement kept as text, such as the relay's. */
export async function explainText(client: PoolClient, text: string, values: readonly unknown[]): Promise<PlanNode> {
  const { rows } = await client.query<ExplainRow>({ text: `EXPLAIN (FORMAT JSON) ${text}`, values: [...values] });
  return planOf(rows);
}

type ExplainRow = { "QUERY PLAN": { Plan: PlanNode }[] };

function planOf(rows: readonly ExplainRow[]): PlanNode {
  return rows[0]?.["QUERY PLAN"][0]?.Plan ?? { "Node Type": "Result" };
}

export async function planCost(client: PoolClient, query: SQLWrapper): Promise<number> {
  return (await explain(client, query))["Total Cost"] ?? 0;
}

/** Throws filter_not_indexed, naming the helpful index, if the query would cost more than `most`. */
export async function refuseScan(
  client: PoolClient,
  query: SQLWrapper,
  helpfulIndex: string,
  most = MOST_COST,
): Promise<void> {
  if ((await planCost(client, query)) > most) throw scanRefused(helpfulIndex);
}

export async function wouldScan(client: PoolClient, query: SQLWrapper): Promise<boolean> {
  return (await planCost(client, query)) > MOST_COST;
}
