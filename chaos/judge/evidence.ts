import type { Fault } from "../event-log.ts";
import type { Receipt } from "../world/recorders/recorder.ts";

/** A committed message, as its writer's own transaction wrote it down. */
export interface LedgerRow {
  id: string;
  seq: number;
  aggregate: string;
  n: number;
  /** Due at a time of its own, in an aggregate without an order. */
  scheduled: boolean;
}

export interface DeadRow {
  id: string;
  by: string | null;
  code: string | null;
  /** Its row is still in the outbox. */
  stayed: boolean;
}

export interface InstanceRow {
  id: string;
  state: string;
  published: number;
  lateCommits: number;
  /** It has told of a stream that it reads. */
  streams: boolean;
}

/** All that is known when everything has come to rest. */
export interface Evidence {
  /** Messages whose COMMIT was answered. */
  acknowledged: number;
  ledger: LedgerRow[];
  receipts: Receipt[];
  /** Rows of the outbox: published or not. */
  rows: Map<string, { published: boolean }>;
  dead: DeadRow[];
  archived: Map<string, { published: boolean }>;
  /** Messages with delivery state of their own that are not dead. */
  deliveries: string[];
  claims: { token: string; owner: string; ids: string[] }[];
  /** What the relays were told to notice messages by. */
  source: "polling" | "cdc";
  instances: InstanceRow[];
  faults: readonly Fault[];
  /** Messages that an operator took in hand. */
  touched: ReadonlySet<string>;
  /** Messages that the sink refused for good. */
  rejected: ReadonlySet<string>;
}

export interface Violation {
  /** What was broken, in words. */
  rule: string;
  /** Each case of it. */
  cases: string[];
}

export interface Finding {
  violations: Violation[];
  /** Figures for the table. */
  seen: Record<string, number>;
}

export function violation(rule: string, cases: readonly string[]): Violation[] {
  return cases.length === 0 ? [] : [{ rule, cases: [...cases] }];
}
