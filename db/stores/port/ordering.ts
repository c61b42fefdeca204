import type { StoreCapabilities } from "./capabilities.ts";
import type { OutboxMapping } from "./mapping.ts";

export interface Ordering {
  kind: "aggregate" | "best_effort" | "none";
  reason: string | null;
}

/** The order that a relay can guarantee with this mapping in a store of these capabilities, and why not more. */
export function orderingOf(
  mapping: OutboxMapping,
  wanted: "aggregate" | "none",
  { readsLate }: Pick<StoreCapabilities, "readsLate"> = {},
): Ordering {
  if (wanted === "none") return { kind: "none", reason: "ordering is switched off in the configuration" };
  if (!mapping.columns.aggregateId) return { kind: "best_effort", reason: "no column names the aggregate" };
  if (!mapping.columns.order) {
    return {
      kind: "best_effort",
      reason: "there is no sequence column, and creation times can differ from the order of commits",
    };
  }
  return readsLate === undefined ? { kind: "aggregate", reason: null } : { kind: "best_effort", reason: readsLate };
}
