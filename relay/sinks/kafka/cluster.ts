import { isIP } from "node:net";
import {
  apiVersionsV3,
  type Broker,
  type Connection,
  ConnectionPool,
  initProducerIdV0,
  initProducerIdV2,
  initProducerIdV5,
  metadataV7,
  metadataV8,
  metadataV9,
  metadataV10,
  metadataV11,
  metadataV12,
  parseBroker,
  ResponseError,
  type SASLOptions,
} from "@platformatic/kafka";
import type { KafkaSinkConfig } from "#services/config/sinks/kafka-sink-schema.ts";
import { tlsOptions } from "../tls-options.ts";
import type { ProducerIdentity } from "./record-batch.ts";

type MetadataResponse = Awaited<ReturnType<typeof metadataV12.api.async>>;
export type TopicMetadata = MetadataResponse["topics"][number];

const METADATA = [metadataV12, metadataV11, metadataV10, metadataV9, metadataV8, metadataV7].map(({ api }) => api);
const INIT_PRODUCER_ID = [initProducerIdV5, initProducerIdV2, initProducerIdV0].map(({ api }) => api);
/** The producer limits produce requests to one per partition, so the connection must not hold any back. */
const REQUESTS_PER_CONNECTION = 1000;

/** Connections to the brokers, and requests that any broker can answer. Rejects with the client's own errors. */
export class Cluster {
  readonly #bootstrap: Broker[];
  readonly #pool: ConnectionPool;
  readonly #brokers = new Map<number, Broker>();
  readonly #versions = new WeakMap<Connection, Promise<Map<number, number>>>();
  #asked = 0;

  constructor(config: KafkaSinkConfig) {
    this.#bootstrap = config.brokers.map((broker) => parseBroker(broker));
    const tls = tlsOptions(config.tls);
    const named = tls?.servername === undefined && this.#bootstrap.every(({ host }) => isIP(host) === 0);
    this.#pool = new ConnectionPool(config.clientId, {
      connectTimeout: config.connectTimeout,
      requestTimeout: config.timeout,
      maxInflights: REQUESTS_PER_CONNECTION,
      ...(tls === undefined ? {} : { tls, ...(named ? { tlsServerName: true } : {}) }),
      ...(config.sasl === undefined ? {} : { sasl: saslOptions(config.sasl) }),
    });
    // Callers get the failures; an error event without a listener would end the process.
    this.#pool.on("connecting", ({ connection }) => connection.on("error", () => undefined));
  }

  /**
   * Metadata of these topics, each with its own error code, from any broker that answers. No topics: checks
   * reachability.
   */
  async metadata(topics: string[]): Promise<TopicMetadata[]> {
    const connection = await this.#anyConnection();
    const api = await this.#pick(connection, METADATA);
    const { brokers, topics: answered } = await answerOf(api.async(connection, topics, false, false));
    if (brokers.length > 0) this.#brokers.clear();
    for (const { nodeId, host, port } of brokers) this.#brokers.set(nodeId, { host, port });
    return answered;
  }

  /** @throws when the broker is unknown or unreachable */
  async connectionTo(brokerId: number): Promise<Connection> {
    const broker = this.#brokers.get(brokerId);
    if (broker === undefined) throw new Error(`The broker ${brokerId}, which leads a partition, is unknown`);
    return await this.#pool.get(broker);
  }

  async newIdentity(connection: Connection): Promise<ProducerIdentity> {
    const api = await this.#pick(connection, INIT_PRODUCER_ID);
    const { producerId, producerEpoch } = await api.async(connection, null, 0);
    return { producerId, epoch: producerEpoch };
  }

  /** Highest version of a request kind that this broker supports. */
  async maxVersion(connection: Connection, apiKey: number): Promise<number> {
    let versions = this.#versions.get(connection);
    if (versions === undefined) {
      versions = askVersions(connection);
      this.#versions.set(connection, versions);
    }
    return (await versions).get(apiKey) ?? -1;
  }

  close(): void {
    for (const [, { socket }] of this.#pool) socket?.destroy();
    void this.#pool.close();
  }

  async #pick<T extends { key: number; version: number }>(connection: Connection, newestFirst: T[]): Promise<T> {
    const key = (newestFirst[0] as T).key;
    const max = await this.maxVersion(connection, key);
    const found = newestFirst.find(({ version }) => version <= max);
    if (found === undefined)
      throw new Error("The broker is older than Kafka 2.4, the oldest version that this sink supports");
    return found;
  }

  /**
   * Starts with another broker each time, so that one that accepts connections but never answers is not asked every
   * time.
   */
  async #anyConnection(): Promise<Connection> {
    const all = [...this.#brokers.values(), ...this.#bootstrap];
    const from = this.#asked++ % all.length;
    return await this.#pool.getFirstAvailable([...all.slice(from), ...all.slice(0, from)]);
  }
}

async function askVersions(connection: Connection): Promise<Map<number, number>> {
  const { apiKeys } = await apiVersionsV3.api.async(connection, "outbox-console", "1");
  return new Map(apiKeys.map(({ apiKey, maxVersion }) => [apiKey, maxVersion]));
}

/** An answer with an error for one topic or partition still counts as an answer; the client rejects with it. */
async function answerOf<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ResponseError && error.response) return error.response as T;
    throw error;
  }
}

function saslOptions({ mechanism, username, password }: NonNullable<KafkaSinkConfig["sasl"]>): SASLOptions {
  return { mechanism: mechanism.toUpperCase() as "PLAIN" | "SCRAM-SHA-256" | "SCRAM-SHA-512", username, password };
}
