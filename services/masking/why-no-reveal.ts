import { type Actor, hasRole } from "#domain/operator.ts";
import type { OutboxHandle } from "../runtime.ts";

/** Sentence: why a person may not reveal the masked values of a message; null if they may. */
export function whyNoReveal({ masking }: Pick<OutboxHandle, "masking">, actor: Actor | undefined): string | null {
  if (masking.reveal === "nobody") return "Nobody may reveal masked values (masking.reveal).";
  if (actor?.token) return "An API token cannot reveal masked values: a person does it, signed in.";
  if (actor && hasRole(actor, masking.reveal)) return null;
  return `Revealing needs the role ${masking.reveal} (masking.reveal).`;
}
