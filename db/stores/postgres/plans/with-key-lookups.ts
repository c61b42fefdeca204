import type { PoolClient } from "pg";
import { withPlannerOff } from "./with-planner-off.ts";

/**
 * A hash or merge join reads all waiting rows, even under a small LIMIT. JIT is off because the planner, which takes
 * waiting rows for rare, estimates a high cost and would compile the statement.
 */
const NO_TABLES = ["hashjoin", "mergejoin", "jit"] as const;
/**
 * A sort looks up the message of every record before the first row; an index of the records gives the first rows first.
 */
const IN_ORDER = [...NO_TABLES, "sort"] as const;

/**
 * Runs reads that begin at our own records, so that they look up each message in the team's table by its key.
 * `ordered`: an index has the records in the order of the read, which ends with its limit.
 */
export function withKeyLookups<T>(
  client: PoolClient,
  { ordered }: { ordered: boolean },
  work: () => PromiseLike<T>,
): Promise<T> {
  return withPlannerOff(client, ordered ? IN_ORDER : NO_TABLES, work);
}
