import type { EventLog } from "../event-log.ts";
import type { StoreEvidence } from "../judge/evidence.ts";
import type { ChaosOptions } from "../options.ts";
import type { Step, StepKind } from "../schedule.ts";
import type { StoreKind } from "./store-kinds.ts";
import type { WriterSession } from "./writer-session.ts";

export interface StoreInput {
  options: ChaosOptions;
  /** Of the run's logs. */
  folder: string;
  log: EventLog;
}

/** `stop`: an orderly shutdown. `immediate`: a shutdown on request, without waiting. `kill`: SIGKILL. */
export type ServerEnd = "stop" | "immediate" | "kill";

export type OperatorVerb = "dead-letter" | "retry" | "archive" | "restore";

/** A message on which an operator may act. */
export interface Candidate {
  /** In the API. */
  id: string;
  /** At the sink. */
  eventId: string;
}

/** Faults that other sessions of the database cause. */
export type Foreign = Extract<StepKind, "sessions-terminate" | "foreign-snapshot" | "foreign-locks">;

/** Dead messages that stay in the table, with rows among them that are committed late. */
export interface DeadInTable {
  ids: string[];
  /** Commits the uncommitted rows among the dead one by one, each followed by a later row of its aggregate. */
  commitLate(chaosMs: number): Promise<void>;
}

/** A database server private to the run, with the outbox, the writers' ledger and our own tables. */
export interface ChaosStore {
  kind: StoreKind;
  /** Loopback port of the server. */
  port: number;
  /** The store's section of outbox.yaml for a reader that reaches the server at this port. */
  storeYaml(port: number): string;
  /** Lines of the outbox's section that name its table. */
  tableYaml: readonly string[];
  /** Ends the server in the given way and starts it again after a pause, with the same port and data. One at a time. */
  restart(how: ServerEnd, downMs: number): Promise<void>;
  openWriter(): Promise<WriterSession>;
  /** Messages that are neither published nor dead, scheduled ones included: they are due soon. */
  countWaiting(): Promise<number>;
  countClaims(): Promise<number>;
  countPauses(): Promise<number>;
  /** True once a relay has reported a stream. */
  hasStream(): Promise<boolean>;
  /** Process ids of all relays that ever registered. */
  relayPids(): Promise<number[]>;
  /** At most so many messages to which the verb applies. */
  candidates(verb: OperatorVerb, limit: number): Promise<Candidate[]>;
  /** The faults that this kind of store supports; false if there was nothing to act on. */
  foreign: Partial<Record<Foreign, (step: Step) => Promise<boolean>>>;
  /**
   * Fills the table with dead rows if the settings ask for it. Call it after the stream is prepared: one row is
   * committed late, and a slot cannot be created while its transaction is open.
   */
  buryDead(): Promise<void>;
  /** Null for a table whose rows can be moved. */
  readonly deadInTable: DeadInTable | null;
  /** Reads ledger and tables after everything has come to rest. */
  evidence(): Promise<StoreEvidence>;
  close(): Promise<void>;
}
