import type { Failure } from "#domain/failure.ts";
import type { Lease } from "./lease.ts";
import type { OutgoingMessage } from "./outgoing-message.ts";

export type MessageOutcome =
  | { kind: "published"; startedAt: Date; durationMs: number }
  /** Burned one attempt, unless it `spares` it; `nextAttemptInMs` is counted on the database clock. */
  | {
      kind: "failed";
      startedAt: Date;
      durationMs: number | null;
      failure: Failure;
      nextAttemptInMs: number;
      /** It waits, but its attempts stay as many as they were: the receiver only asked for time. */
      spares?: boolean;
    }
  | { kind: "dead"; startedAt: Date; durationMs: number | null; failure: Failure }
  /** Not tried, or tried in vain because of the environment: the claim ends and nothing is burned. */
  | { kind: "given_back" };

export interface SettleEntry {
  token: string;
  message: OutgoingMessage;
  outcome: MessageOutcome;
}

export interface SettleRequest {
  lease: Lease;
  entries: readonly SettleEntry[];
  /** Claims of which nothing is left in memory after these entries. */
  endedTokens: readonly string[];
  /** An earlier settle of the same entries may have been committed: what is found marked was marked by us. */
  afterDoubt: boolean;
}

export interface SettleResult {
  /** Ids marked published by this settle. */
  published: string[];
  /** Ids whose claim was gone (taken over, or an operator forced it): nothing was written for them. */
  fenced: string[];
  /** Ids that were claimed but found published or gone when they were to be marked: a foreign relay. */
  foreign: string[];
  /** created-to-published of published ids whose creation time is known, on the database clock, ms. */
  latenciesMs: number[];
}
