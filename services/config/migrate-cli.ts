import { migrateConsoleSide } from "#db/console-side/migrate.ts";
import { toDatabaseError } from "#db/postgres/database-error.ts";
import { migrateStoreSide } from "#db/store-side/migrate.ts";
import { ConfigError, isAppError } from "#domain/errors.ts";
import { addressOf } from "../stores/open-store.ts";
import type { Config } from "./config-schema.ts";
import { loadConfig } from "./load-config.ts";

/** `npm run migrate`: creates or updates our schemas in every configured store and on the console side. */
async function main(): Promise<void> {
  const config = loadConfig();
  const embedded = process.env.OUTBOX_EMBEDDED_URL;
  if (embedded) await migrate("the console side (embedded Postgres)", embedded, migrateConsoleSide);
  for (const [name, store] of Object.entries(config.stores)) {
    await migrate(`schema outbox_console in store ${name}`, store.directUrl ?? store.url, migrateStoreSide);
  }
  const consoleUrl = config.console.databaseUrl ?? (embedded ? undefined : firstOperated(config));
  if (consoleUrl) await migrate("schema outbox_console_app of the console side", consoleUrl, migrateConsoleSide);
}

function firstOperated(config: Config): string | undefined {
  const operated = Object.values(config.outboxes).find((outbox) => outbox.mode !== "observe");
  const store = operated ? config.stores[operated.store] : Object.values(config.stores)[0];
  return store?.directUrl ?? store?.url;
}

async function migrate(what: string, url: string, apply: (url: string) => Promise<void>): Promise<void> {
  try {
    await apply(url);
    process.stdout.write(`Up to date: ${what} at ${addressOf(url)}\n`);
  } catch (error) {
    const { message } = toDatabaseError(error, what);
    throw new ConfigError([
      message === "Internal error." ? `${what}: ${error instanceof Error ? error.message : String(error)}` : message,
    ]);
  }
}

main().catch((error: unknown) => {
  const known = error instanceof ConfigError || isAppError(error);
  process.stderr.write(known ? `${error.message}\n` : `${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
