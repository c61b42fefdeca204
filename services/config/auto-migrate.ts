import { migrateConsoleSide } from "#db/console-side/migrate.ts";
import { migrateStoreSide } from "#db/store-side/migrate.ts";
import type { Config } from "./config-schema.ts";
import type { Environment } from "./load-config.ts";

/**
 * What a starting worker creates unasked: the console side in the embedded Postgres, which is ours alone; and with
 * `autoMigrate: true` what `npm run migrate` would create in the stores.
 */
export async function autoMigrate(config: Config, env: Environment = process.env): Promise<void> {
  if (env.OUTBOX_EMBEDDED_URL) await migrateConsoleSide(env.OUTBOX_EMBEDDED_URL);
  if (!config.autoMigrate) return;
  for (const store of Object.values(config.stores)) await migrateStoreSide(store.directUrl ?? store.url);
}
