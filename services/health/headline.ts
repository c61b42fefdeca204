import type { Verdict } from "#contracts/watch/diagnosis.ts";

/**
 * One line on an outbox for banner, health and alerts: "Not delivering: the sink gateway cannot be reached … and 1
 * more: …".
 */
export function headlineOf({ title, cause, evidence, more }: Verdict): string {
  if (cause === null) return `${title}. ${evidence}`;
  return `${title}: ${cause}${more === null ? "" : `; ${more}`}`;
}
