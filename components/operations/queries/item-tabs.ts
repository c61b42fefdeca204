import type { ItemCounts } from "#contracts/message/operations.ts";
import { canFailAgain, ITEM_OUTCOMES, type ItemOutcome } from "#domain/message/bulk-operation.ts";
import type { OperationAction } from "#domain/message/correction.ts";

/** Tabs of an operation's items: all, those not acted on yet, or one outcome. */
export type ItemTab = "all" | "left" | ItemOutcome;

const IN_ORDER: readonly ItemTab[] = [
  "published",
  "done",
  "failed_again",
  "released",
  "skipped",
  "refused",
  "cancelled",
  "unknown",
  "left",
];

/** "All", the outcome that the action is for, and every other one that occurs. */
export function listItemTabs(action: OperationAction, counts: ItemCounts, current: ItemTab): ItemTab[] {
  const always = parts(action);
  return ["all", ...IN_ORDER.filter((tab) => tab === current || always.includes(tab) || countOf(counts, tab) > 0)];
}

/** Outcomes that are shown even if none has occurred. */
function parts(action: OperationAction): readonly ItemTab[] {
  return canFailAgain(action) ? ["published", "failed_again", "skipped", "left"] : ["done", "skipped", "left"];
}

export function countOf(counts: ItemCounts, tab: ItemTab): number {
  return tab === "all" ? counts.selected : counts[tab];
}

export function readItemTab(value: string | null): ItemTab {
  return value === "left" ? value : (ITEM_OUTCOMES.find((outcome) => outcome === value) ?? "all");
}
