/** One node of `EXPLAIN (FORMAT JSON)`, with the fields used here. */
export interface PlanNode {
  "Node Type": string;
  Alias?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  Filter?: string;
  "Plan Rows"?: number;
  "Total Cost"?: number;
  Plans?: PlanNode[];
}

/** How a plan reads one table, or one partition of it. */
export interface Scan {
  /** Null for a scan of the table itself. */
  index: string | null;
  /** An index search, not a walk over the whole index. */
  searched: boolean;
  /** Rows are filtered after reading. */
  filtered: boolean;
}

/** Scans of the table with this alias. Partitions have the alias plus a number. */
export function scansOf(plan: PlanNode, alias: string): Scan[] {
  const own = new RegExp(`^${alias}(_\\d+)?$`).test(plan.Alias ?? "");
  const type = plan["Node Type"];
  const below = (plan.Plans ?? []).flatMap((child) => scansOf(child, alias));
  if (!own || !type.endsWith("Scan") || type === "Subquery Scan" || type === "CTE Scan") return below;
  return [
    {
      index: type.startsWith("Index") ? (plan["Index Name"] ?? null) : null,
      searched: plan["Index Cond"] !== undefined,
      filtered: plan.Filter !== undefined,
    },
    ...below,
  ];
}

export function hasNode(plan: PlanNode, type: string): boolean {
  return plan["Node Type"] === type || (plan.Plans ?? []).some((child) => hasNode(child, type));
}
