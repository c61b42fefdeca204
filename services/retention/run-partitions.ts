import type { OutboxPartitions, OutboxRetention, PartitionOutcome } from "#db/stores/port/retention.ts";
import { whyClockIsDoubted } from "./doubted-clock.ts";
import type { PartitionPolicy } from "./policies-of.ts";

/** Partitions dropped in one turn: each drop locks the table for a moment. */
const MOST_DROPS = 3;

interface Input {
  retention: OutboxRetention;
  partitions: OutboxPartitions;
  policy: PartitionPolicy;
  signal: AbortSignal;
}

/**
 * Creates missing future partitions, then drops old ones; each outcome is a run of the history. After the abort none is
 * dropped.
 */
export async function runPartitions({ retention, partitions, policy, signal }: Input): Promise<PartitionOutcome[]> {
  const { databaseTimeMs } = await retention.pressure();
  const refusal = whyClockIsDoubted(databaseTimeMs) ?? (await partitions.refuses());
  if (refusal !== null) {
    const run = await retention.begin({ subject: "partitions", rule: policy.text });
    await retention.end(run, "refused", refusal);
    return [];
  }
  const created = await partitions.createAhead(policy.ahead);
  await keep(retention, policy, created);
  const dropped = policy.drop && !signal.aborted ? await partitions.dropOld(policy.drop, MOST_DROPS) : [];
  await keep(retention, policy, dropped);
  return [...created, ...dropped];
}

async function keep(
  retention: OutboxRetention,
  policy: PartitionPolicy,
  outcomes: readonly PartitionOutcome[],
): Promise<void> {
  for (const outcome of outcomes) {
    const run = await retention.begin({ subject: `partition ${outcome.partition}`, rule: policy.text });
    if (outcome.outcome === "dropped") await retention.count(run, outcome);
    await retention.end(run, outcome.outcome, detailOf(outcome));
  }
}

function detailOf(outcome: PartitionOutcome): string | null {
  if ("why" in outcome) return `${outcome.why}.`.replace(/\.\.$/, ".");
  return "statement" in outcome ? outcome.statement : null;
}
