import type { HealthStatus } from "./limits.ts";

/** Bytes of log kept for one slot: `warn` when someone should look, `fail` when the server's disk is at risk. */
export const SLOT_LAG_LIMITS = { warn: 1_000_000_000, fail: 10_000_000_000 };

/** Judges a replication slot. If it is gone or lost, commits since then can no longer be read from it. */
export function judgeSlot(slot: { lagBytes: number | null; walStatus: string | null }): HealthStatus {
  if (slot.lagBytes === null || slot.walStatus === "lost") return "fail";
  if (slot.lagBytes >= SLOT_LAG_LIMITS.fail) return "fail";
  return slot.walStatus === "unreserved" || slot.lagBytes >= SLOT_LAG_LIMITS.warn ? "warn" : "pass";
}

/** State of the slot as a sentence, also when nothing is wrong. */
export function describeSlot(slot: { slot: string; lagBytes: number | null; walStatus: string | null }): string {
  if (slot.lagBytes === null) return `The replication slot ${slot.slot} is gone.`;
  if (slot.walStatus === "lost")
    return `The replication slot ${slot.slot} is lost: the server has removed log that it needed.`;
  const kept = `The server keeps ${Math.ceil(slot.lagBytes / 1e6)} MB of log for the slot ${slot.slot}`;
  return slot.walStatus === "unreserved" ? `${kept} and is about to remove some of it.` : `${kept}.`;
}
