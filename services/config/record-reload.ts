import type { Records } from "#db/records/records.ts";
import { consoleEntry } from "../audit/console-entry.ts";
import type { TakenOver } from "./take-over.ts";

/**
 * Logs the changes that a process applied from a changed file, and records them in the audit. While the console's
 * database does not answer, only the audit entry is lost; the log still has it.
 */
export function recordReload(
  { settings, mappings, needRestart }: TakenOver,
  { process, file, records }: { process: string; file: string; records: Pick<Records, "recordAct"> | null },
): void {
  const parts = [
    ...(settings.length > 0 ? [`now in effect: ${settings.join("; ")}`] : []),
    ...(mappings.length > 0 ? [`tables are read in another way: ${mappings.join("; ")}`] : []),
    ...(needRestart.length > 0 ? [`needs a restart: ${needRestart.join(", ")}`] : []),
  ];
  const detail = parts.join(". ");
  console.error(`${file} has changed. ${detail}`);
  const about = { reason: `${file} has changed`, detail };
  const audit = consoleEntry({ name: process, role: "admin" }, "config.reload", about);
  records
    ?.recordAct(audit, async () => undefined)
    .catch((error: unknown) => {
      console.error(`The change of ${file} is not in the audit: ${error instanceof Error ? error.message : error}`);
    });
}
