import type { PoolClient } from "pg";

/**
 * A join that builds a table of what waits reads all of it, whatever the limit. JIT is off because the planner, which takes rows
 * that wait for rare, sees a high cost and would compile the statement.
 */
const KEY_LOOKUPS = "SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL jit = off";
const AS_EVER = "SET LOCAL enable_hashjoin TO DEFAULT; SET LOCAL enable_mergejoin TO DEFAULT; SET LOCAL jit TO DEFAULT";

/** Runs reads that begin at our own records, so that they look up each message in the team's table by its key. */
export async function withKeyLookups<T>(client: PoolClient, work: () => PromiseLike<T>): Promise<T> {
  await client.query(KEY_LOOKUPS);
  const result = await work();
  await client.query(AS_EVER);
  return result;
}
