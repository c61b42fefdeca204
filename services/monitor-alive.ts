import type { Runtime } from "./runtime.ts";

/** A monitor renews its lease every 2.5 s. */
const SILENT_SECONDS = 30;

/** Whether some process's monitor has been at work within the last 30 s. */
export async function monitorAlive({ records, consoleLine }: Runtime): Promise<boolean> {
  const lease = await (records && consoleLine?.ask(() => records.monitorLease()))?.catch(() => null);
  return Boolean(lease && lease.heartbeatAgeSeconds < SILENT_SECONDS);
}
