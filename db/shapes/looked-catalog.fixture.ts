import type { CatalogTable } from "../stores/port/catalog.ts";
import type { Store } from "../stores/port/store.ts";

/**
 * Looks at a column that may find nothing, each with up to twice the time of the one before. A reading that is short of
 * time looks at one column only.
 */
const MOST_IN_VAIN = 6;

/**
 * The tables of a store whose values were looked at: on a busy machine a reading leaves some out, and the next one
 * begins with them, as a running console's does. Those that may not be looked at stay so.
 */
export async function readLooked(store: Pick<Store, "catalog">): Promise<CatalogTable[]> {
  let least = Number.POSITIVE_INFINITY;
  for (let inVain = 0; ; ) {
    const { tables } = await store.catalog();
    const unlooked = tables.reduce((sum, table) => sum + (table.unlooked ?? []).length, 0);
    inVain = unlooked < least ? 0 : inVain + 1;
    least = Math.min(least, unlooked);
    if (unlooked === 0 || inVain >= MOST_IN_VAIN * unlooked) return [...tables];
  }
}
