import type { OwnBroker } from "#tests/brokers/broker.ts";
import { placeOf } from "../soak-message.ts";

/** The differences between the brokers. */
export interface Side {
  settings: Record<string, string>;
  /** Port of the broker to which the line of that index leads. */
  portOf(index: number, broker: OwnBroker): number;
  prepare(broker: OwnBroker, topics: readonly string[]): Promise<void>;
  /** Has the broker refuse all messages to these topics, or accept them again. */
  refuse?(broker: OwnBroker, topics: readonly string[], on: boolean): Promise<void>;
  /** Calls `add` for each payload in the topic; a lane's payloads in the order of their arrival. */
  read(broker: OwnBroker, topic: string, add: (payload: string) => void): Promise<void>;
}

/** Collects payloads by lane. */
export function byLane(lanes: number): { received: number[][]; add(payload: string): void } {
  const received: number[][] = Array.from({ length: lanes }, () => []);
  return {
    received,
    add: (payload) => {
      const { lane, n } = placeOf(payload);
      received[lane]?.push(n);
    },
  };
}
