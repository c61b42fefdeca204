/** One node of `EXPLAIN (FORMAT JSON)`, as far as it is looked at. */
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
  /** Entries are searched for, instead of walking over all of the index. */
  searched: boolean;
  /** What was read is filtered once more. */
  filtered: boolean;
}

/** Scans of the table with this alias. Partitions have the alias with a number behind it. */
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
