import type { EventLog } from "../../event-log.ts";
import type { SinkKind } from "../../options.ts";

/** What is in a payload, as writers write it. */
export interface Content {
  aggregate: string;
  /** Its place in its aggregate, from 1. */
  n: number;
}

/** A message as it arrived, once for each time. */
export interface Receipt extends Content {
  id: string;
  /** Since the run began; null where the broker does not say. */
  atMs: number | null;
  /** The relay that sent it; null where that was not told. */
  slot: number | null;
  /** The sink knows that its confirmation did not reach the relay. */
  unconfirmed: boolean;
}

/** A sink that keeps what arrives, and can be ended like a real one. */
export interface Recorder {
  kind: SinkKind;
  /** Where the line of a slot leads; null is where operators' own configuration points to. */
  portOf(slot: number | null): number;
  /** The section of the sink in outbox.yaml, for a relay that reaches it at this port of loopback. */
  sinkYaml(port: number): string;
  /** Where all messages go to; null for a sink that has only one place. */
  topic: string | null;
  stop(how: "stop" | "kill"): Promise<void>;
  start(): Promise<void>;
  /** In the order of arrival, at least within each aggregate. */
  receipts(): Promise<Receipt[]>;
  /** Ids that it has refused for good. */
  rejected: ReadonlySet<string>;
  answers: AnswerRules | null;
  close(): Promise<void>;
}

/** `after`: the event was taken, and the answer says otherwise. */
export type BadAnswer = "500" | "500-after" | "nothing" | "400" | "503";

export interface AnswerRules {
  /** Answers a share of the messages so until the returned function is called. */
  begin(answer: BadAnswer, share: number): () => void;
}

/** Each relay names itself in a header of what it sends. */
export const SLOT_HEADER = "relay-slot";

export function slotOf(header: unknown): number | null {
  const slot = Number.parseInt(String(header), 10);
  return Number.isNaN(slot) ? null : slot;
}

export interface RecorderInput {
  log: EventLog;
  /** Where the relays reach the sink, by slot: some brokers must be told. */
  linePorts: readonly number[];
  /** Events of one http request. */
  httpBatch: number;
  say: (line: string) => void;
}
