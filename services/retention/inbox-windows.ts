import { formatDuration } from "#domain/format.ts";
import { outboxesOf } from "../config/inbox-schema.ts";
import { outboxOf } from "../outboxes/outbox-of.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";

/**
 * Sentences: what the inboxes of an outbox must keep. An inbox is the window in which repeats have no effect: a message
 * can come again as long as its row, or its dead letter, is there.
 */
export async function inboxWindows(input: {
  runtime: Runtime;
  handle: OutboxHandle;
  keepSeconds: number;
}): Promise<string[]> {
  const { runtime, handle, keepSeconds } = input;
  const { inboxes } = await runtime.tables();
  const fed = inboxes.filter(({ config }) => outboxesOf(config).includes(handle.name));
  if (fed.length === 0) return [];
  const deadSeconds = await oldestDeadSeconds(handle);
  const least = formatDuration(keepSeconds + (deadSeconds ?? 0));
  const because =
    deadSeconds === null ? "" : `, of which ${formatDuration(deadSeconds)} is the age of the oldest dead letter`;
  return fed.map(({ name }) => `Inbox ${name} must keep its rows for at least ${least}${because}.`);
}

/** Null when no message is dead, or its age is not known. */
async function oldestDeadSeconds(handle: OutboxHandle): Promise<number | null> {
  const facts = await outboxOf(handle).watch.facts({
    ...{ overdueSeconds: 3600, claimGraceSeconds: 3600, lockHeldSeconds: 3600, oldTransactionSeconds: 3600 },
    ...{ scheduledFarSeconds: 86_400, clockSkewSeconds: 60, relay: null },
  });
  const firsts = (facts.facts.dead ?? []).flatMap(({ firstAt }) => (firstAt === null ? [] : [Date.parse(firstAt)]));
  return firsts.length === 0 ? null : (Date.now() - Math.min(...firsts)) / 1000;
}
