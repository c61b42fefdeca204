import type { OutboxSummary } from "#contracts/outbox/outboxes.ts";
import { formatPlural } from "#domain/format.ts";

/** The first cause in the words of the outbox's banner; otherwise why it could not be read, or its state. */
export function causeOf({ verdict, problem }: Pick<OutboxSummary, "verdict" | "problem">): string {
  const cause = verdict.cause ?? problem;
  if (cause === null) return "–";
  const more = verdict.causes.length - 1;
  return more > 0 ? `${cause} · ${formatPlural(more, "more cause")}` : cause;
}
