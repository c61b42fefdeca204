import type { EventLog } from "../event-log.ts";
import type { SinkKind } from "../options.ts";

/** A message as it arrived, once for each time. */
export interface Receipt {
  id: string;
  aggregate: string;
  /** Its place in its aggregate, from 1. */
  n: number;
  /** Since the run began; null where the broker does not say. */
  atMs: number | null;
  /** The sink knows that its confirmation did not reach the relay. */
  unconfirmed: boolean;
}

/** A sink that keeps what arrives, and can be ended like a real one. */
export interface Recorder {
  kind: SinkKind;
  host: string;
  port: number;
  /** The section of the sink in outbox.yaml, for a relay that reaches it at this port of loopback. */
  sinkYaml(port: number): string;
  /** Further settings of the relay, as YAML flow. */
  relayYaml: string[];
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

export interface RecorderInput {
  log: EventLog;
  say: (line: string) => void;
}
