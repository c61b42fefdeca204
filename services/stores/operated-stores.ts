import type { Runtime, StoreHandle } from "../runtime.ts";

/**
 * Stores with records of ours, one for each database. `missing`: sentences about stores that have never been read, so
 * that they may be among them.
 */
export async function operatedStores(runtime: Runtime): Promise<{ stores: StoreHandle[]; missing: string[] }> {
  const { outboxes, problems } = await runtime.tables();
  const operated = outboxes.filter(({ storeSide }) => storeSide).map(({ store }) => store);
  const stores = [...new Map(operated.map((store) => [databaseOf(store), store])).values()];
  const read = new Set(stores.map(({ name }) => name));
  // A silent store that was read before stays among them; its read then fails.
  const unread = problems.filter(({ name, store }) => name === null && !read.has(store));
  return { stores, missing: unread.map(({ message }) => message) };
}

/** Equal for two stores of one database, which share their records. */
function databaseOf({ kind, address, config }: StoreHandle): string {
  return JSON.stringify([
    kind,
    address,
    "own" in config ? config.own : null,
    "ownTable" in config ? config.ownTable : null,
  ]);
}
