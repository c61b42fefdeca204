import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { Failure } from "#domain/failure.ts";

/** A message addressed: what a sink of any kind needs to know to send it. */
export interface Routed {
  /** Kafka's topic, RabbitMQ's routing key, NATS' subject, Redis' stream; http does not look at it. */
  topic: string;
  /** What keeps messages together and in order at the broker: the aggregate's id. Null: nothing. */
  key: string | null;
  /** Names and values in the order in which they were found; the message's id is among them. */
  headers: readonly (readonly [name: string, value: string])[];
  /** Exactly what was stored; null is a tombstone. */
  body: string | Buffer | null;
  contentType: string;
}

export type RouteResult = { routed: Routed } | { failure: Failure };

/**
 * Addresses one message. Pure; an address that cannot be made is a failure of the message, `unroutable`. Headers named in
 * `needless` may be missing from the result: whoever says those things elsewhere saves making them.
 */
export type Router = (message: OutgoingMessage, needless?: ReadonlySet<string>) => RouteResult;
