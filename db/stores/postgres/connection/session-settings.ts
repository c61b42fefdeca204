import { TEXT_FORMS } from "#db/stores/postgres/connection/text-forms.ts";

/** Statement limit of the relay, ms. A slower statement means a lock or a missing index, and is retried. */
const STATEMENT_TIMEOUT_MS = 10_000;
/**
 * Our transactions are never idle for long. An idle one belongs to a frozen or disconnected process, and its locks must
 * not block the next owner.
 */
const IDLE_TRANSACTION_TIMEOUT_MS = 3000;
/** Client-side limit, ms, for a server that hangs. */
export const CLIENT_TIMEOUT_MS = 12_000;

/**
 * Prevents plan flips: on a table that ANALYZE saw empty, a sequential scan, a bitmap or a hash join looks cheap and is
 * ruinous a minute later.
 */
const SETTINGS: Record<string, string> = {
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  lock_timeout: "1000",
  idle_in_transaction_session_timeout: String(IDLE_TRANSACTION_TIMEOUT_MS),
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  jit: "off",
  plan_cache_mode: "force_generic_plan",
  max_parallel_workers_per_gather: "0",
  ...TEXT_FORMS,
};

/** The settings that plans depend on, as assignments. */
export const PLANNER_SETTINGS: readonly string[] = Object.entries(SETTINGS)
  .filter(([name]) => name.startsWith("enable_") || name.startsWith("max_parallel") || name === "jit")
  .map(([name, value]) => `${name} = '${value}'`);

/** Sets all of them, for the session (`SET`) or for the transaction (`SET LOCAL`). */
export const sessionAssignments = (keyword: "SET" | "SET LOCAL") =>
  Object.entries(SETTINGS)
    .map(([name, value]) => `${keyword} ${name} = '${value}'`)
    .join("; ");
