import type { BrokerKind } from "./broker-kinds.ts";

/** A broker that answers. */
export type Broker = {
  kind: BrokerKind;
  /** `kafka://host:port[,host:port]`, `amqp://user:password@host:port`, `nats://host:port`, `redis://host:port`. */
  url: string;
  /** `host:port` of each server, as Kafka's clients want them. */
  addresses: string[];
  host: string;
  port: number;
  /** Null when the broker does not tell. */
  version: string | null;
  /** How it was found, in words. */
  foundBy: string;
};

/** A broker that belongs to the process that started it, and dies with it. Port and data stay until `remove`. */
export type OwnBroker = Broker & {
  /** Files of this broker: its log, and unless it runs in a container its data. */
  folder: string;
  /** False from the moment in which it has ended or was told to. */
  isRunning(): boolean;
  /** As an operator would: it closes its connections and writes down what it holds. Does nothing when it is down. */
  stop(): Promise<void>;
  /** SIGKILL: it has no time to write anything down. */
  kill(): Promise<void>;
  /** On the same port and with the data that were kept; resolves once it answers. Does nothing when it runs. */
  start(): Promise<void>;
  /** Stops and starts it; `kill` in place of a stop when asked for. */
  restart(how?: "stop" | "kill"): Promise<void>;
  /** Kills it and removes its data. */
  remove(): Promise<void>;
  /** The end of what it has said, for a failure's message. */
  readLog(): Promise<string>;
};

export type BrokerOptions = {
  /** In the broker's own words: server.properties, rabbitmq.conf, the nats-server configuration, redis.conf. */
  settings?: Record<string, string>;
  onProgress?: (sentence: string) => void;
};

/** Says in a sentence why there is no such broker here. */
export class BrokerUnavailable extends Error {
  override name = "BrokerUnavailable";
}
