import type { Status } from "../incident.ts";

const ORDER: readonly Status[] = ["pass", "warn", "fail"];

export function worst(statuses: readonly Status[]): Status {
  return ORDER[Math.max(0, ...statuses.map((one) => ORDER.indexOf(one)))] ?? "pass";
}
