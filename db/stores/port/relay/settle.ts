import type { Failure } from "#domain/failure.ts";
import type { Head } from "./head.ts";
import type { Lease } from "./lease.ts";
import type { OutgoingMessage } from "./outgoing-message.ts";

export type MessageOutcome =
  | { kind: "published"; startedAt: Date; durationMs: number }
  /** Costs one attempt unless `spares` is set; `nextAttemptInMs` counts on the database clock. */
  | {
      kind: "failed";
      startedAt: Date;
      durationMs: number | null;
      failure: Failure;
      nextAttemptInMs: number;
      /** Waits without using up an attempt, because the receiver only asked for a delay. */
      spares?: boolean;
    }
  | { kind: "dead"; startedAt: Date; durationMs: number | null; failure: Failure }
  /** Not tried, or failed because of the environment: the claim ends and no attempt is used up. */
  | { kind: "given_back" };

/** Failed attempts of a message that were not its fault: the newest in its history. */
export interface Refund {
  id: string;
  /** Number of attempts in the history. */
  tries: number;
  /** Number of these that used up an attempt; the others were spared. */
  charged: number;
}

export interface SettleEntry {
  token: string;
  message: OutgoingMessage;
  outcome: MessageOutcome;
}

export interface SettleRequest {
  lease: Lease;
  entries: readonly SettleEntry[];
  /** Claims that have no message left in memory after these entries. */
  endedTokens: readonly string[];
  /** An earlier settle of the same entries may have committed: rows found marked were marked by us. */
  afterDoubt: boolean;
}

export interface SettleResult {
  /** Ids marked published by this settle. */
  published: string[];
  /** Ids whose claim was gone (taken over, or ended by an operator); nothing was written for them. */
  fenced: string[];
  /** Ids that were claimed, but found published or deleted at the settle: another program publishes too. */
  foreign: string[];
  /**
   * Rows that replaced a claimed one under its key. Nothing was written for them, and no relay has read them; the ids
   * of the claimed ones are in `foreign`, unless they were published by us before a doubtful commit.
   */
  replaced: Head[];
  /** created-to-published of published ids whose creation time is known, on the database clock, ms. */
  latenciesMs: number[];
}
