import { checkDatabases as checkDatabasesOf } from "#db/stores/open-store.ts";
import type { Config } from "../config/config-schema.ts";
import { databaseUses } from "./database-uses.ts";
import { type DoctorReport, reportFindings } from "./report.ts";

/**
 * Checks that each database accepts the writes the configuration needs, and has enough connections for one console and
 * one worker. Changes nothing.
 */
export async function checkDatabases(config: Config, report: DoctorReport): Promise<void> {
  const uses = Map.groupBy(databaseUses(config), ({ kind }) => kind);
  for (const [kind, ofKind] of uses) reportFindings(await checkDatabasesOf(kind, ofKind), report);
}
