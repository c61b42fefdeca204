import { Admin, ConnectionPool, fetchV12 } from "@platformatic/kafka";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { KafkaSinkConfig } from "#services/config/sinks/kafka-sink-schema.ts";
import { BrokerUnavailable, type OwnBroker } from "#tests/brokers/broker.ts";
import { startBroker } from "#tests/brokers/start-broker.ts";
import { BROKER_START_TIMEOUT_MS } from "#tests/brokers/test-broker.ts";
import { uniqueName } from "#tests/brokers/unique-name.ts";
import { findFreePort } from "#tests/free-port.ts";
import { startTcpProxy, type TcpProxy } from "#tests/tcp-proxy.ts";
import { waitFor } from "#tests/wait-for.ts";
import type { Router } from "../../routing/router.ts";
import type { Sink } from "../sink.ts";
import { createKafkaSink } from "./kafka-sink.ts";

export interface ReadRecord {
  partition: number;
  offset: number;
  key: string | null;
  body: string | null;
  headers: [string, string][];
  id: string | undefined;
}

/** A Kafka private to the test file, behind a proxy that can break connections; tests inspect it directly. */
export class KafkaUnderTest {
  readonly broker: OwnBroker;
  /** The broker advertises this address to clients that connect through the proxy. */
  readonly proxy: TcpProxy;
  readonly admin: Admin;
  readonly #pool = new ConnectionPool("reader");

  constructor(broker: OwnBroker, proxy: TcpProxy) {
    this.broker = broker;
    this.proxy = proxy;
    this.admin = new Admin({ clientId: "admin", bootstrapBrokers: broker.addresses });
  }

  async createTopic(settings: { partitions?: number; configs?: Record<string, string> } = {}): Promise<string> {
    const topic = uniqueName("topic");
    const configs = Object.entries(settings.configs ?? {}).map(([name, value]) => ({ name, value }));
    await this.admin.createTopics({ topics: [topic], partitions: settings.partitions ?? 3, replicas: 1, configs });
    // A partition gets its leader shortly after its topic is created.
    await waitFor(async () => Array.isArray(await this.read(topic)), { message: "the new topic can be read" });
    return topic;
  }

  /** Connects through the proxy unless `brokers` is given. */
  sink(fields: Partial<KafkaSinkConfig> & { route: Router }): Sink {
    const { route, ...config } = fields;
    const brokers = [`127.0.0.1:${this.proxy.port}`];
    return createKafkaSink({ config: { ...DEFAULTS, brokers, ...config }, route });
  }

  /** All records in the topic, partition by partition, each in order. */
  async read(topic: string): Promise<ReadRecord[]> {
    const metadata = await this.admin.metadata({ topics: [topic], forceUpdate: true });
    const count = metadata.topics.get(topic)?.partitionsCount ?? 0;
    const partitions = Array.from({ length: count }, (_, partition) => this.#readPartition(topic, partition));
    return (await Promise.all(partitions)).flat();
  }

  async #readPartition(topic: string, partition: number): Promise<ReadRecord[]> {
    const records: ReadRecord[] = [];
    const connection = await this.#pool.get({ host: this.broker.host, port: this.broker.port });
    for (let next = 0n; ; ) {
      const from = { partition, currentLeaderEpoch: -1, fetchOffset: next, lastFetchedEpoch: -1 };
      const topics = [{ topicId: topic, partitions: [{ ...from, partitionMaxBytes: 50_000_000 }] }];
      const answer = await fetchV12.api.async(connection, 0, 0, 50_000_000, 0, 0, -1, topics, [], "");
      const found = answer.responses[0]?.partitions[0];
      for (const batch of [found?.records ?? []].flat()) {
        for (const record of batch.records) {
          const offset = batch.firstOffset + BigInt(record.offsetDelta);
          if (offset >= next) records.push(toRead(partition, Number(offset), record));
          next = offset + 1n;
        }
      }
      if (found === undefined || next >= found.highWatermark) return records;
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.admin.close(), this.#pool.close(), this.proxy.close()]);
    await this.broker.remove();
  }
}

const DEFAULTS: Omit<KafkaSinkConfig, "brokers"> = {
  kind: "kafka",
  clientId: "outbox-console-test",
  tls: false,
  compression: "none",
  maxMessageBytes: 1_000_000,
  timeout: 2_000,
  connectTimeout: 1_000,
};

/** Routes every message to one topic, with its id as a header. */
export function routeTo(
  topic: string | ((message: OutgoingMessage) => string),
  headers: [string, string][] = [],
): Router {
  return (message) => ({
    routed: {
      topic: typeof topic === "string" ? topic : topic(message),
      key: message.aggregateId,
      headers: [["event_id", message.eventId], ...headers],
      body: message.payloadKind === "binary" ? Buffer.from(message.payload ?? "", "base64") : message.payload,
      contentType: "application/json",
    },
  });
}

/** One Kafka for all tests of the file; where none is available, they are skipped with the reason. */
export function kafkaUnderTest(
  settings: () => Promise<Record<string, string>> = async () => ({}),
): () => KafkaUnderTest {
  let kafka: KafkaUnderTest | undefined;
  let unavailable: string | undefined;
  beforeAll(async () => {
    try {
      kafka = await startKafka(await settings());
    } catch (error) {
      if (!(error instanceof BrokerUnavailable)) throw error;
      unavailable = `no kafka: ${error.message}`;
    }
  }, BROKER_START_TIMEOUT_MS);
  beforeEach(async ({ skip }) => {
    if (unavailable !== undefined) skip(unavailable);
    await kafka?.proxy.resume();
  });
  afterAll(() => kafka?.close());
  return () => kafka as KafkaUnderTest;
}

async function startKafka(settings: Record<string, string>): Promise<KafkaUnderTest> {
  const proxied = await findFreePort();
  const proxy = await startTcpProxy({ port: proxied });
  const { listeners, advertised, protocols, ...others } = { listeners: "", advertised: "", protocols: "", ...settings };
  const broker = await startBroker("kafka", {
    settings: {
      listeners: `PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controllerPort},PROXIED://127.0.0.1:${proxied}${listeners}`,
      "advertised.listeners": `PLAINTEXT://127.0.0.1:{port},PROXIED://127.0.0.1:${proxy.port}${advertised}`,
      "listener.security.protocol.map": `PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,PROXIED:PLAINTEXT${protocols}`,
      "inter.broker.listener.name": "PLAINTEXT",
      ...others,
    },
  });
  return new KafkaUnderTest(broker, proxy);
}

type Fetched = { key: Buffer | null; value: Buffer | null; headers: Iterable<readonly [Buffer, Buffer]> };

function toRead(partition: number, offset: number, record: unknown): ReadRecord {
  const { key, value, headers } = record as Fetched;
  const texts = [...headers].map(([name, text]): [string, string] => [name.toString(), text.toString()]);
  const id = texts.find(([name]) => name === "event_id")?.[1];
  return { partition, offset, key: key?.toString() ?? null, body: value?.toString() ?? null, headers: texts, id };
}
