import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { Failure } from "#domain/failure.ts";

/** An addressed message, with everything that a sink of any kind needs to send it. */
export interface Routed {
  /** Kafka's topic, RabbitMQ's routing key, NATS' subject, Redis' stream; http ignores it. */
  topic: string;
  /** Key that keeps messages together and in order at the broker: the aggregate's id. Null: none. */
  key: string | null;
  /** Names and values in their original order, the message's id included. */
  headers: readonly (readonly [name: string, value: string])[];
  /** Exactly the stored payload; null is a tombstone. */
  body: string | Buffer | null;
  contentType: string;
}

export type RouteResult = { routed: Routed } | { failure: Failure };

/**
 * Addresses one message. Pure. Returns the failure `unroutable` if the address cannot be built. Headers named in
 * `needless` may be missing from the result, which saves work for callers that send those values elsewhere.
 */
export type Router = (message: OutgoingMessage, needless?: ReadonlySet<string>) => RouteResult;
