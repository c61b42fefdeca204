import type { Records } from "#db/records/records.ts";
import type { TakenOver } from "./take-over.ts";

/**
 * Logs and records in the audit what a process took over from a changed file. A console database that is away loses the
 * record and not the settings; the log has both.
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
  const audit = {
    ...{ actor: { name: process, role: "admin" as const }, action: "config.reload", outbox: null, inbox: null },
    ...{ outcome: "done" as const, reason: `${file} has changed`, detail },
  };
  records
    ?.recordAct(audit, async () => undefined)
    .catch((error: unknown) => {
      console.error(`The change of ${file} is not in the audit: ${error instanceof Error ? error.message : error}`);
    });
}
