import { type Actor, hasRole } from "#domain/operator.ts";
import type { OutboxHandle } from "../runtime.ts";

/** Why somebody may not reveal what is masked in a message, as a sentence; null if they may. */
export function whyNoReveal({ masking }: Pick<OutboxHandle, "masking">, actor: Actor | undefined): string | null {
  if (masking.reveal === "nobody") return "Nobody may reveal masked values (masking.reveal).";
  if (actor && hasRole(actor, masking.reveal)) return null;
  return `Revealing needs the role ${masking.reveal} (masking.reveal).`;
}
