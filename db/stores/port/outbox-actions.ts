import type { AppError } from "#domain/errors.ts";
import type { MessageAction } from "#domain/message/message-state.ts";
import type { Actor } from "#domain/operator.ts";
import type { CorrectionRequest, CorrectionResult } from "./correction.ts";
import type { PauseSubject } from "./pauses.ts";
import type { VerbRequest, VerbResult } from "./verb.ts";

export interface PauseChange {
  subject: Omit<PauseSubject, "outbox">;
  actor: Actor;
  reason: string;
  /** For the audit, as a clause. */
  detail: string | null;
}

/** What an action writes into the team's table, with placeholders for the key; `sql` is null if it writes nothing. */
export interface ActionStatement {
  action: "retry" | "dead-letter" | "archive";
  sql: string | null;
  /** Sentences: what it does, or why it writes nothing. */
  note: string | null;
}

/** Outcome of one item: the result or the error of `perform`. */
export type ItemAct = { seq: number; failure: AppError | null };

/** Changes to one outbox by people. Each is one transaction that also writes its audit row. */
export interface OutboxActions {
  /**
   * One verb on one message. A message that a relay is publishing, or whose row another session has locked, is tried
   * again for `waitMs`. Throws: not_found, conflict (changed since it was looked at), wrong_state, in_flight,
   * locked (with the session that holds the row, where it is known); StoreError `commit_in_doubt`.
   */
  perform(verb: VerbRequest, waitMs: number): Promise<VerbResult>;
  /** Most items that are worth one call of `performItems`. */
  readonly itemsAtOnce: number;
  /**
   * Items of one bulk operation, each done or failed on its own, in the order given; `item` is set in each. An engine
   * may do many in one transaction, and may leave out the last ones, of which nothing was changed. A row that is in use
   * fails at once: in_flight, locked. Stops at a failure that does not depend on the message (StoreError) and returns
   * the outcomes so far, with that failure as the last.
   */
  performItems(verbs: readonly VerbRequest[]): Promise<ItemAct[]>;
  /**
   * Sends a corrected copy of a failed or dead message: a new row at the end of its aggregate. The original stays
   * unchanged and dead. One transaction makes both changes. Waits and throws as `perform`; conflict also if a copy was
   * sent before.
   */
  correct(request: CorrectionRequest, waitMs: number): Promise<CorrectionResult>;
  /** Why no corrected copy can be written into this table, as a sentence; null if one can. */
  whyNoCopy(): Promise<string | null>;
  /** The same ids in the order in which the outbox first delivers; those of no message come last. */
  inOrder(ids: readonly string[]): Promise<string[]>;
  /** Which session has locked a message, as a clause for people; null when none has, or it is not known. */
  lockHolder(id: string): Promise<string | null>;
  /** Begins a pause, or replaces the one in force. */
  pause(change: PauseChange & { minutes: number | null }): Promise<void>;
  /** False when there was no pause to end. Of an aggregate, also the relay's own hold behind a dead message. */
  resume(change: PauseChange): Promise<boolean>;
  /** Why rows cannot leave the table, as a clause; null when they can. */
  whyRowsStay(): Promise<string | null>;
  /** Why the table's library does not allow an action, as sentences; null if it does. */
  refuses(action: MessageAction): string | null;
  /** What an action does, as the table's library has it, as a sentence; null for any other table. */
  does(action: MessageAction): string | null;
  /** SQL for people to read; never run. */
  statements(): ActionStatement[];
  /** The table's own columns can say that a message is dead. */
  readonly marksDead: boolean;
}
