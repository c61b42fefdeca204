import { applyMigrations, type MigrationSet } from "../connection/migrate.ts";
import type { OwnPlace } from "../connection/own-place.ts";

export const STORE_SIDE_MIGRATIONS: MigrationSet = { folder: "drizzle/mysql-store", known: 9 };

/** Creates or updates our own tables on the server of the outbox tables. */
export function migrateStoreSide(url: string, place: OwnPlace): Promise<void> {
  return applyMigrations(url, place, STORE_SIDE_MIGRATIONS);
}
