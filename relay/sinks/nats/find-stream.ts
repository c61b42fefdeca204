import { JetStreamApiError, jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { describe, type StreamLookup } from "./classify-failure.ts";

/**
 * Finds the stream that takes a subject, after a publish got no responders. A missing stream causes that, but so do
 * disabled JetStream and a stream without a leader in a cluster, where the message is not to blame.
 */
export async function findStream(
  connection: NatsConnection,
  subject: string,
  timeoutMs: number,
): Promise<StreamLookup> {
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: timeoutMs });
    return { stream: await manager.streams.find(subject) };
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    if (name === "StreamNotFoundError") return { stream: null };
    if (name === "JetStreamNotEnabled") return { noJetStream: "the server answers no request of it" };
    if (error instanceof JetStreamApiError) return { noJetStream: error.message };
    return { unknown: describe(error) };
  }
}
