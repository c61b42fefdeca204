import type { Bulk, ItemCounts } from "#contracts/message/operations.ts";
import { isEnded } from "#domain/message/bulk-operation.ts";

/** Items whose outcome is known. A retried message counts once it was published or has failed again. */
function knownOf(counts: ItemCounts): number {
  return counts.selected - counts.left - counts.released;
}

/** Items that the action applies to, as far as that is known. */
export function actedOn(counts: ItemCounts): number {
  return counts.selected - counts.refused;
}

/** Whole per cent of items with a known outcome, rounded down; 100 only when the operation has ended. */
export function percentOf({ state, counts }: Pick<Bulk, "state" | "counts">): number {
  if (counts.selected === 0) return isEnded(state) ? 100 : 0;
  const percent = Math.floor((100 * knownOf(counts)) / counts.selected);
  return isEnded(state) ? percent : Math.min(percent, 99);
}
