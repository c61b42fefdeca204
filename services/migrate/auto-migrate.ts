import { updateConsoleSide } from "#db/records/migrate.ts";
import { openStore } from "#db/stores/open-store.ts";
import { ConfigError, isAppError } from "#domain/errors.ts";
import type { Config } from "../config/config-schema.ts";
import type { Environment } from "../config/load-config.ts";

/**
 * Migrations that a worker runs at its start: always the console side in the embedded Postgres, which is ours alone;
 * with `autoMigrate: true` also our schema in the stores with an outbox that is operated or relayed. Nothing is created
 * in a store that is only observed.
 */
export async function autoMigrate(config: Config, env: Environment = process.env): Promise<void> {
  if (env.OUTBOX_EMBEDDED_URL) await updateConsoleSide(env.OUTBOX_EMBEDDED_URL, EMBEDDED_CONSOLE_SIDE);
  if (!config.autoMigrate) return;
  const written = Object.values(config.outboxes).filter(({ mode }) => mode !== "observe");
  for (const name of new Set(written.map(({ store }) => store))) await migrateStore(config, name);
}

export const EMBEDDED_CONSOLE_SIDE = "the console's own database (embedded Postgres)";

/** Creates or updates our schema in one store. Throws ConfigError, for an observed store with what that means. */
export async function migrateStore(config: Config, name: string): Promise<void> {
  const settings = config.stores[name];
  if (!settings) return;
  const store = await openStore({ ...settings, name, applicationName: "outbox-console migrate" });
  try {
    await store.migrate();
  } catch (error) {
    const isWritten = Object.values(config.outboxes).some(
      (outbox) => outbox.store === name && outbox.mode !== "observe",
    );
    if (isWritten || !(isAppError(error) || error instanceof ConfigError)) throw error;
    throw new ConfigError([
      `${error.message} The outboxes of store ${name} are only observed, which needs none of our tables: nothing is missing there until one is operated or relayed.`,
    ]);
  } finally {
    await store.close();
  }
}
