import type { Fault } from "../event-log.ts";
import type { Receipt } from "../world/recorders/recorder.ts";

/** A committed message, as recorded by its writer in the same transaction. */
export interface LedgerRow {
  id: string;
  seq: number;
  aggregate: string;
  n: number;
  /** Due at a set time, in an aggregate without an order. */
  scheduled: boolean;
}

export interface DeadRow {
  id: string;
  by: string | null;
  code: string | null;
  /** True if its row is still in the outbox. */
  stayed: boolean;
}

export interface InstanceRow {
  id: string;
  state: string;
  published: number;
  lateCommits: number;
  /** True if it has reported a stream. */
  streams: boolean;
}

/** Contents of the store's tables; ids are those that arrive at the sink. */
export interface StoreEvidence {
  ledger: LedgerRow[];
  /** Outbox rows, by whether they are published. */
  rows: Map<string, { published: boolean }>;
  dead: DeadRow[];
  archived: Map<string, { published: boolean }>;
  /** Messages that have delivery state and are not dead. */
  deliveries: string[];
  claims: { token: string; owner: string; ids: string[] }[];
  instances: InstanceRow[];
}

/** Everything known after the run has come to rest. */
export interface Evidence extends StoreEvidence {
  /** Messages whose COMMIT was acknowledged. */
  acknowledged: number;
  receipts: Receipt[];
  /** How the relays notice messages. */
  source: "polling" | "cdc";
  faults: readonly Fault[];
  /** Messages touched by an operator. */
  touched: ReadonlySet<string>;
  /** Messages that the sink rejected permanently. */
  rejected: ReadonlySet<string>;
}

export interface Violation {
  /** The broken rule, in words. */
  rule: string;
  /** Each case of the violation. */
  cases: string[];
}

export interface Finding {
  violations: Violation[];
  /** Figures for the report's table. */
  seen: Record<string, number>;
}

export function violation(rule: string, cases: readonly string[]): Violation[] {
  return cases.length === 0 ? [] : [{ rule, cases: [...cases] }];
}
