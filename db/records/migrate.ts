import { applyMigrations, type MigrationSet } from "../stores/postgres/connection/migrate.ts";

export const CONSOLE_SIDE_MIGRATIONS: MigrationSet = {
  folder: "drizzle/console",
  schema: "outbox_console_app",
  known: 3,
};

/** Creates or updates the console side (schema outbox_console_app). */
export function migrateConsoleSide(url: string): Promise<void> {
  return applyMigrations(url, CONSOLE_SIDE_MIGRATIONS);
}
