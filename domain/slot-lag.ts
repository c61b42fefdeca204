import type { HealthStatus } from "./limits.ts";

/** Log that a server keeps for one slot before someone should look, and before its disk is at stake. */
export const SLOT_LAG_LIMITS = { warn: 1_000_000_000, fail: 10_000_000_000 };

/** How a replication slot stands. A slot that is gone or lost can no longer tell what was committed meanwhile. */
export function judgeSlot(slot: { lagBytes: number | null; walStatus: string | null }): HealthStatus {
  if (slot.lagBytes === null || slot.walStatus === "lost") return "fail";
  if (slot.lagBytes >= SLOT_LAG_LIMITS.fail) return "fail";
  return slot.walStatus === "unreserved" || slot.lagBytes >= SLOT_LAG_LIMITS.warn ? "warn" : "pass";
}

/** What is wrong with it, as a sentence; what is right with it too. */
export function describeSlot(slot: { slot: string; lagBytes: number | null; walStatus: string | null }): string {
  if (slot.lagBytes === null) return `The replication slot ${slot.slot} is gone.`;
  if (slot.walStatus === "lost")
    return `The replication slot ${slot.slot} is lost: the server has removed log that it needed.`;
  const kept = `The server keeps ${Math.ceil(slot.lagBytes / 1e6)} MB of log for the slot ${slot.slot}`;
  return slot.walStatus === "unreserved" ? `${kept} and is about to remove some of it.` : `${kept}.`;
}
