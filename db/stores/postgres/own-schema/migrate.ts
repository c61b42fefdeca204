import { applyMigrations, type MigrationSet } from "../connection/migrate.ts";

export const STORE_SIDE_MIGRATIONS: MigrationSet = { folder: "drizzle/store", schema: "outbox_console", known: 16 };

/** Creates or updates the store side (schema outbox_console) in a database with outbox tables. */
export function migrateStoreSide(url: string): Promise<void> {
  return applyMigrations(url, STORE_SIDE_MIGRATIONS);
}
