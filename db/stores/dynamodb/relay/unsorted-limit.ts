const MOST = 20_000;

/**
 * Items of an index without order that one read takes: they are sorted in memory. Tests lower it, because writing so
 * many takes too long.
 */
export const unsortedLimit = { items: MOST };

/** Ends what a test has set. */
export function resetUnsortedLimit(): void {
  unsortedLimit.items = MOST;
}
