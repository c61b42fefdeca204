import { applyMigrations, type MigrationSet } from "../stores/postgres/connection/migrate.ts";
import { migrationError } from "../stores/postgres/connection/migration-error.ts";

const CONSOLE_SIDE_MIGRATIONS: MigrationSet = {
  folder: "drizzle/console",
  schema: "outbox_console_app",
  known: 8,
};

/** Creates or updates the console side (schema outbox_console_app). */
export function migrateConsoleSide(url: string): Promise<void> {
  return applyMigrations(url, CONSOLE_SIDE_MIGRATIONS);
}

/**
 * Creates or updates the console side. Throws ConfigError, with the GRANT if the database user lacks a right; `what`
 * names the console side in it.
 */
export async function updateConsoleSide(url: string, what: string): Promise<void> {
  try {
    await migrateConsoleSide(url);
  } catch (error) {
    throw migrationError(error, what, url);
  }
}
