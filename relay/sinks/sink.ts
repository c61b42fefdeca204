import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { Failure } from "#domain/failure.ts";

/**
 * Outcome of one message. `failed` and `unsent`: refused here for its content, so that the failure says nothing about
 * the sink. `aborted`: neither side is to blame, because the signal fired, the sink was closed, or an earlier message of
 * the aggregate, or another one of the connection, failed; it may have arrived.
 */
export type PublishOutcome =
  | { kind: "published" }
  | { kind: "failed"; failure: Failure; unsent?: true }
  | { kind: "aborted" };

export const PUBLISHED: PublishOutcome = { kind: "published" };
export const ABORTED: PublishOutcome = { kind: "aborted" };

/** Of a message that cannot be sent. */
export function unsent(failure: Failure): PublishOutcome {
  return { kind: "failed", failure, unsent: true };
}

/** A topic (in the sink's own word) that cannot be published to at present. */
export interface MissingTopic {
  topic: string;
  message: string;
  /** How to create it, if it does not exist. */
  fix: string | null;
}

export interface BehindTopics {
  /** Objects that `check` found, if it found no problem. */
  seen: string;
  /** Facts that only publishing would show, and where to look for them. */
  unseen: string;
}

/** Destination of messages. One implementation per kind; all pass sink.conformance.ts. */
export interface Sink {
  readonly kind: string;
  /** Most messages in one call. */
  readonly maxBatch: number;
  /** True: messages of one call arrive in order, and after a failure no later message of its aggregate arrives. */
  readonly keepsOrderInBatch: boolean;
  connect(): Promise<void>;
  /** Null when the sink is reachable, as far as this is known without publishing; otherwise the failure. */
  check(): Promise<Failure | null>;
  /**
   * Returns those of the routed topics that do not exist. Present only where topics must be created beforehand and the
   * broker can be asked for them. Never rejects, publishes nothing, creates nothing.
   */
  missingTopics?(topics: readonly string[]): Promise<MissingTopic[]>;
  /**
   * Present where topics are reached through another object, such as an exchange, and only that can be looked for;
   * sentences without a full stop.
   */
  readonly behind?: BehindTopics;
  /**
   * Returns one outcome per message, in the order of the messages; `published` only after the sink confirmed. Never
   * rejects for a sink's response. Calls may run concurrently.
   */
  publish(messages: readonly OutgoingMessage[], signal: AbortSignal): Promise<PublishOutcome[]>;
  /** Ends running calls as aborted, then closes the connections. */
  close(): Promise<void>;
  /** For display: no passwords, tokens or query strings. */
  describe(): { kind: string; address: string };
}
