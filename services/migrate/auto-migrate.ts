import { migrateConsoleSide } from "#db/records/migrate.ts";
import { migrateStoreSide } from "#db/stores/postgres/own-schema/migrate.ts";
import type { Config } from "../config/config-schema.ts";
import type { Environment } from "../config/load-config.ts";
import { migrationError } from "./migration-error.ts";

/**
 * What a starting worker creates unasked: the console side in the embedded Postgres, which is ours alone; and with
 * `autoMigrate: true` what `npm run migrate` would create in the stores.
 */
export async function autoMigrate(config: Config, env: Environment = process.env): Promise<void> {
  if (env.OUTBOX_EMBEDDED_URL) {
    await saying("the console side (embedded Postgres)", env.OUTBOX_EMBEDDED_URL, migrateConsoleSide);
  }
  if (!config.autoMigrate) return;
  for (const [name, store] of Object.entries(config.stores)) {
    await saying(`schema outbox_console in store ${name}`, store.directUrl ?? store.url, migrateStoreSide);
  }
}

async function saying(what: string, url: string, apply: (url: string) => Promise<void>): Promise<void> {
  try {
    await apply(url);
  } catch (error) {
    throw migrationError(error, what, url);
  }
}
