import { checkDatabases as checkDatabasesOf } from "#db/stores/open-store.ts";
import type { Config } from "../config/config-schema.ts";
import { databaseUses } from "./database-uses.ts";
import { type DoctorReport, reportFindings } from "./report.ts";

/**
 * Whether each database takes the writes that the configuration needs, and has connections enough for one console and one
 * worker. Changes nothing.
 */
export async function checkDatabases(config: Config, report: DoctorReport): Promise<void> {
  reportFindings(await checkDatabasesOf("postgres", databaseUses(config)), report);
}
