import type { OutboxSummary } from "#contracts/outboxes.ts";

/** What needs a look, in the order given, and what delivers without a warning. */
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
