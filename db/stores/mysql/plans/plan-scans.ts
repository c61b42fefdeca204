/** How a plan reads one table, in words that both servers' EXPLAIN FORMAT=JSON have. */
export interface Scan {
  /** Null where no index is used. */
  index: string | null;
  /** `all`: the whole table. `walk`: a whole index. `search`: entries of an index that a condition names. */
  how: "all" | "walk" | "search";
  /** Columns of the index that the search names. */
  searched: readonly string[];
  /** Entries, by the server's estimate; with a limit and no filter those up to the limit. */
  rows: number;
  /** Rows are filtered after reading, or may be: a range is compared again. */
  filtered: boolean;
}

export type PlanNode = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is PlanNode => typeof value === "object" && value !== null;

/** Scans of the table with this alias, wherever they are in the plan. */
export function scansOf(plan: unknown, alias: string): Scan[] {
  if (!isNode(plan)) return [];
  const below = Object.values(plan).flatMap((part) => scansOf(part, alias));
  if (plan.table_name !== alias || typeof plan.access_type !== "string") return below;
  return [scanOf(plan, plan.access_type), ...below];
}

function scanOf(node: PlanNode, access: string): Scan {
  const whole = /^all$/i.test(access);
  return {
    index: typeof node.key === "string" ? node.key : null,
    how: whole ? "all" : /^index$/i.test(access) ? "walk" : "search",
    searched: Array.isArray(node.used_key_parts) ? node.used_key_parts.map(String) : [],
    // MySQL and MariaDB, in this order. A search for one row of a unique key has no estimate on MariaDB.
    rows: Number(node.rows_examined_per_scan ?? node.rows ?? 1),
    filtered: "attached_condition" in node,
  };
}

/** True if rows are sorted after reading, so that a LIMIT does not bound the read. */
export function sorts(plan: unknown): boolean {
  if (!isNode(plan)) return false;
  if (plan.using_filesort === true || "filesort" in plan) return true;
  return Object.values(plan).some(sorts);
}
