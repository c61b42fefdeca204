import type { OwnBroker } from "#tests/brokers/broker.ts";
import type { BrokerKind } from "#tests/brokers/broker-kinds.ts";
import { startBroker } from "#tests/brokers/start-broker.ts";
import type { Receipt, Recorder, RecorderInput } from "./recorder.ts";

/** The topic, stream, queue or subject of all messages. */
export const TOPIC = "chaos";

export interface BrokerKindOfRecorder {
  kind: BrokerKind;
  settings?: Record<string, string>;
  /** Creates that topic, stream or queue. */
  prepare(broker: OwnBroker): Promise<void>;
  /** All messages in it, in order. */
  read(broker: OwnBroker): Promise<Receipt[]>;
  sinkYaml(port: number): string;
  portOf?(slot: number | null, broker: OwnBroker): number;
}

/** A real broker private to the run; the messages in it at the end are the receipts. */
export async function startBrokerRecorder(of: BrokerKindOfRecorder, { say }: RecorderInput): Promise<Recorder> {
  const broker = await startBroker(of.kind, { settings: of.settings ?? {}, onProgress: say });
  try {
    await of.prepare(broker);
  } catch (error) {
    await broker.remove();
    throw error;
  }
  // Faults overlap, so stops and starts of the broker are serialised.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const next = turn.then(work);
    turn = next.catch(() => undefined);
    return next;
  };
  return {
    kind: of.kind,
    portOf: (slot) => of.portOf?.(slot, broker) ?? broker.port,
    sinkYaml: of.sinkYaml,
    topic: TOPIC,
    stop: (how) => inTurn(() => (how === "kill" ? broker.kill() : broker.stop())),
    start: () => inTurn(() => broker.start()),
    receipts: () => of.read(broker),
    rejected: new Set(),
    answers: null,
    close: () => broker.remove(),
  };
}
