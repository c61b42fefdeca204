import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { publishInLanes } from "../sinks/publish-in-lanes.ts";
import { ABORTED, type PublishOutcome, type Sink } from "../sinks/sink.ts";

/**
 * Publishes messages in as many calls as the sink needs. Nothing of an aggregate is sent after its first message that
 * is not published: those end as aborted. Returns one outcome per message, in their order.
 */
export async function publishInOrder(
  sink: Sink,
  messages: readonly OutgoingMessage[],
  signal: AbortSignal,
): Promise<PublishOutcome[]> {
  if (!sink.keepsOrderInBatch) {
    const send = async (message: OutgoingMessage) => (await sink.publish([message], signal))[0] ?? ABORTED;
    return publishInLanes({ messages, signals: [signal], send });
  }
  const outcomes = new Map<OutgoingMessage, PublishOutcome>();
  const stopped = new Set<string>();
  const isStopped = ({ aggregateKey }: OutgoingMessage) => aggregateKey !== null && stopped.has(aggregateKey);
  for (let from = 0; from < messages.length; from += sink.maxBatch) {
    const batch = messages.slice(from, from + sink.maxBatch).filter((message) => !isStopped(message));
    if (batch.length === 0) continue;
    const answers = await sink.publish(batch, signal);
    for (const [index, message] of batch.entries()) {
      const outcome = answers[index] ?? ABORTED;
      outcomes.set(message, outcome);
      if (outcome.kind !== "published" && message.aggregateKey !== null) stopped.add(message.aggregateKey);
    }
  }
  return messages.map((message) => outcomes.get(message) ?? ABORTED);
}
