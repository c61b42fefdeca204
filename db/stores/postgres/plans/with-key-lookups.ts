import type { PoolClient } from "pg";

/**
 * A join that builds a table of what waits reads all of it, whatever the limit. JIT is off because the planner, which takes rows
 * that wait for rare, sees a high cost and would compile the statement.
 */
const KEY_LOOKUPS = "SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL jit = off";
const AS_EVER = "SET LOCAL enable_hashjoin TO DEFAULT; SET LOCAL enable_mergejoin TO DEFAULT; SET LOCAL jit TO DEFAULT";

/** A sort looks up the message of every record before the first row; an index of the records gives the first rows first. */
const NO_SORT = "; SET LOCAL enable_sort = off";
const SORT_AS_EVER = "; SET LOCAL enable_sort TO DEFAULT";

/**
 * Runs reads that begin at our own records, so that they look up each message in the team's table by its key. `ordered`: an
 * index has the records in the order of the read, which ends with its limit.
 */
export async function withKeyLookups<T>(
  client: PoolClient,
  { ordered }: { ordered: boolean },
  work: () => PromiseLike<T>,
): Promise<T> {
  await client.query(KEY_LOOKUPS + (ordered ? NO_SORT : ""));
  const result = await work();
  await client.query(AS_EVER + (ordered ? SORT_AS_EVER : ""));
  return result;
}
