import { migrateStoreSide } from "#db/store-side/migrate.ts";
import type { Config } from "./config-schema.ts";

/** With `autoMigrate: true` a starting worker does what `npm run migrate` would do in the stores. Otherwise nothing. */
export async function autoMigrate(config: Config): Promise<void> {
  if (!config.autoMigrate) return;
  for (const store of Object.values(config.stores)) await migrateStoreSide(store.directUrl ?? store.url);
}
