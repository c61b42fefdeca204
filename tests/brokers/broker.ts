import type { BrokerKind } from "./broker-kinds.ts";

/** A running broker. */
export type Broker = {
  kind: BrokerKind;
  /** `kafka://host:port[,host:port]`, `amqp://user:password@host:port`, `nats://host:port`, `redis://host:port`. */
  url: string;
  /** `host:port` of each server, as Kafka clients expect. */
  addresses: string[];
  host: string;
  port: number;
  /** Null if the broker does not report it. */
  version: string | null;
  /** How it was found, as text. */
  foundBy: string;
};

/** A broker owned by the process that started it, which it does not outlive. Port and data stay until `remove`. */
export type OwnBroker = Broker & {
  /** Folder of this broker's log and, unless it runs in a container, its data. */
  folder: string;
  /** Null while it is down, and in a container, where it is not our process. */
  pid(): number | null;
  /** False once it has ended or was asked to stop. */
  isRunning(): boolean;
  /** Graceful stop: the broker closes its connections and persists its state. Does nothing when it is down. */
  stop(): Promise<void>;
  /** SIGKILL, without time to persist anything. */
  kill(): Promise<void>;
  /** Starts it on the same port with the kept data; resolves once it answers. Does nothing when it runs. */
  start(): Promise<void>;
  /** Stops and starts it; `kill` uses SIGKILL instead of a graceful stop. */
  restart(how?: "stop" | "kill"): Promise<void>;
  /** Kills it and removes its data. */
  remove(): Promise<void>;
  /** End of its output, for a failure's message. */
  readLog(): Promise<string>;
};

export type BrokerOptions = {
  /** In the broker's own format: server.properties, rabbitmq.conf, the nats-server configuration, redis.conf. */
  settings?: Record<string, string>;
  onProgress?: (sentence: string) => void;
};

/** Explains in a sentence why the broker is not available here. */
export class BrokerUnavailable extends Error {
  override name = "BrokerUnavailable";
}
