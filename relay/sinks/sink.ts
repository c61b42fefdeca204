import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { Failure } from "#domain/failure.ts";

/** What became of one message. `aborted`: the signal ended the try, or the sink was closed; nobody is to blame. */
export type PublishOutcome = { kind: "published" } | { kind: "failed"; failure: Failure } | { kind: "aborted" };

export const PUBLISHED: PublishOutcome = { kind: "published" };
export const ABORTED: PublishOutcome = { kind: "aborted" };

/** A topic, by the word of the kind, to which nothing can be published now. */
export interface MissingTopic {
  topic: string;
  message: string;
  /** How to make it, where that is what it lacks. */
  fix: string | null;
}

export interface BehindTopics {
  /** What is known to be there when `check` has found nothing. */
  seen: string;
  /** What nobody is told who does not publish, and where to look instead. */
  unseen: string;
}

/** Where messages go. One implementation per kind; all pass sink.conformance.ts. */
export interface Sink {
  readonly kind: string;
  /** Messages that one call may carry. */
  readonly maxBatch: number;
  /** Messages of one call arrive in its order, and after a failure nothing later of the same aggregate arrives. */
  readonly keepsOrderInBatch: boolean;
  connect(): Promise<void>;
  /** Null when the sink can be reached, as far as that can be told without publishing; else why not. */
  check(): Promise<Failure | null>;
  /**
   * Of these topics, as routed, those that are not there. Only where a topic must be made before it is published to, and
   * the other side says whether it was. Never rejects; publishes and creates nothing.
   */
  missingTopics?(topics: readonly string[]): Promise<MissingTopic[]>;
  /** Where a topic leads through something that alone can be looked for, as an exchange; sentences without a full stop. */
  readonly behind?: BehindTopics;
  /**
   * An outcome per message, in the order of the messages; `published` only once the sink confirmed it. Never rejects
   * for what the sink answered. Many calls may run at once.
   */
  publish(messages: readonly OutgoingMessage[], signal: AbortSignal): Promise<PublishOutcome[]>;
  /** Ends calls that still run as aborted, then the connections. */
  close(): Promise<void>;
  /** For people: no passwords, tokens or query strings. */
  describe(): { kind: string; address: string };
}
