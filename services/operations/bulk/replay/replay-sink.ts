import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { Failure } from "#domain/failure.ts";
import type { OutboxHandle, Runtime } from "../../../runtime.ts";

/** Outcome of one message. `aborted`: it was not sent, or the call ended before its answer. */
export type ReplayOutcome = { kind: "published" } | { kind: "failed"; failure: Failure } | { kind: "aborted" };

/** A sink through which published messages are sent once more, apart from the relay's own. */
export interface ReplaySink {
  /**
   * One outcome per message, in their order. Messages of one aggregate go one after the other, and none after one that
   * failed. Never rejects.
   */
  publish(messages: readonly OutgoingMessage[], signal: AbortSignal): Promise<ReplayOutcome[]>;
  close(): Promise<void>;
}

/** Opens a sink of the configuration for an outbox, with the outbox's own route. Throws: invalid_input. */
export type OpenReplaySink = (input: { runtime: Runtime; handle: OutboxHandle; sink: string }) => Promise<ReplaySink>;
