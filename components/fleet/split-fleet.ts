import type { OutboxSummary } from "#contracts/outbox/outboxes.ts";

/** Splits outboxes, in the given order, into those that need a look and those that deliver without a warning. */
export function splitFleet(outboxes: readonly OutboxSummary[]): {
  troubled: readonly OutboxSummary[];
  healthy: readonly OutboxSummary[];
} {
  const isHealthy = ({ verdict }: OutboxSummary) => verdict.word === "delivering" && verdict.status === "pass";
  return {
    troubled: outboxes.filter((outbox) => !isHealthy(outbox)),
    healthy: outboxes.filter(isHealthy),
  };
}
