import type { CatalogTable } from "../stores/port/catalog.ts";
import type { Store } from "../stores/port/store.ts";

/** Each of them gives what was not looked at twice the time. */
const MOST_READINGS = 6;

/**
 * The tables of a store whose values were looked at: on a busy machine a reading leaves some out, and the next one begins with
 * them, as a running console's does. Those that may not be looked at stay so.
 */
export async function readLooked(store: Pick<Store, "catalog">): Promise<CatalogTable[]> {
  for (let reading = 1; ; reading += 1) {
    const { tables } = await store.catalog();
    const isLooked = tables.every(({ unlooked = [] }) => unlooked.length === 0);
    if (isLooked || reading === MOST_READINGS) return [...tables];
  }
}
