import type { EventLog } from "../../event-log.ts";
import type { SinkKind } from "../../options.ts";

/** Payload of a message, as the writers create it. */
export interface Content {
  aggregate: string;
  /** Position in its aggregate, from 1. */
  n: number;
}

/** One receipt of a message; a repeated message has several. */
export interface Receipt extends Content {
  id: string;
  /** Ms since the run began; null where the broker does not record it. */
  atMs: number | null;
  /** Slot of the sending relay; null if unknown. */
  slot: number | null;
  /** True if the sink knows that its confirmation did not reach the relay. */
  unconfirmed: boolean;
}

/** A sink that records every receipt, and can be killed like a real one. */
export interface Recorder {
  kind: SinkKind;
  /** The target of a slot's line; null is the target of the operators' configuration. */
  portOf(slot: number | null): number;
  /** The sink's section of outbox.yaml for a relay that reaches it on this loopback port. */
  sinkYaml(port: number): string;
  /** Destination of all messages; null for a sink with a single destination. */
  topic: string | null;
  stop(how: "stop" | "kill"): Promise<void>;
  start(): Promise<void>;
  /** In the order of arrival, at least within each aggregate. */
  receipts(): Promise<Receipt[]>;
  /** Ids that it rejected permanently. */
  rejected: ReadonlySet<string>;
  answers: AnswerRules | null;
  close(): Promise<void>;
}

/** `after`: the event was accepted, and the answer is an error. */
export type BadAnswer = "500" | "500-after" | "nothing" | "400" | "503";

export interface AnswerRules {
  /** Answers a share of the messages this way until the returned function is called. */
  begin(answer: BadAnswer, share: number): () => void;
}

/** Header in which each relay names itself. */
export const SLOT_HEADER = "relay-slot";

export function slotOf(header: unknown): number | null {
  const slot = Number.parseInt(String(header), 10);
  return Number.isNaN(slot) ? null : slot;
}

export interface RecorderInput {
  log: EventLog;
  /** Addresses at which the relays reach the sink, by slot; some brokers must advertise them. */
  linePorts: readonly number[];
  /** Events per http request. */
  httpBatch: number;
  say: (line: string) => void;
}
