import { MONITOR_SILENT_SECONDS } from "#domain/monitor.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import type { Runtime } from "./runtime.ts";

export interface MonitorSign {
  /** Null if not known: there is no console database, or it does not answer. */
  alive: boolean | null;
  /** The process that holds the monitor's lease. */
  id: string | null;
  heartbeatAgeSeconds: number | null;
}

/** Whether some process's monitor has been at work within the last 30 s. */
export async function monitorSign({ records, consoleGuard }: Runtime): Promise<MonitorSign> {
  const none = { id: null, heartbeatAgeSeconds: null };
  if (!records || !consoleGuard) return { alive: null, ...none };
  const lease = await consoleGuard.ask(() => records.monitorLease()).catch(() => undefined);
  if (lease === undefined) return { alive: null, ...none };
  if (lease === null) return { alive: false, ...none };
  const { owner, heartbeatAgeSeconds } = lease;
  return { alive: heartbeatAgeSeconds < MONITOR_SILENT_SECONDS, id: owner, heartbeatAgeSeconds };
}

/** Sentence: why no monitor does `work` now, as far as is known; null if one is alive. */
export async function whyNoMonitor(runtime: Runtime, work: string): Promise<string | null> {
  const { alive } = await monitorSign(runtime);
  if (alive === true) return null;
  if (alive === false) return `No worker is alive to ${work}: start \`${ourCommand("worker")}\`.`;
  return runtime.records
    ? `Whether a worker is alive to ${work} is not known: the console's own database does not answer.`
    : `A worker can ${work} only with a database of the console's own: set console.databaseUrl.`;
}
