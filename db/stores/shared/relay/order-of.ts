import type { OrderKey } from "../../port/relay/outgoing-message.ts";

/** The columns of a row's position, as texts. */
export function orderOf(row: readonly (string | null)[] | undefined): OrderKey | null {
  const [first, second] = row ?? [];
  return typeof first === "string" && typeof second === "string" ? [first, second] : null;
}
