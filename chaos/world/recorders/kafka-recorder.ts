import { Admin, ConnectionPool, fetchV12 } from "@platformatic/kafka";
import type { OwnBroker } from "#tests/brokers/broker.ts";
import { choosePorts } from "#tests/brokers/choose-ports.ts";
import { waitFor } from "#tests/wait-for.ts";
import { type BrokerKindOfRecorder, TOPIC } from "./broker-recorder.ts";
import { type Content, type Receipt, type RecorderInput, SLOT_HEADER, slotOf } from "./recorder.ts";

const PARTITIONS = 4;
const MOST_BYTES = 20_000_000;

/**
 * Kafka tells clients where to connect, so each relay's line leads to a separate listener that advertises that line's
 * address. The broker timestamps records on append.
 */
export async function kafkaRecorder({ linePorts, log }: RecorderInput): Promise<BrokerKindOfRecorder> {
  const slots = await choosePorts(linePorts.length);
  const names = slots.map((_, slot) => `SLOT${slot}`);
  const listeners = (ports: readonly number[]) =>
    names.map((name, slot) => `,${name}://127.0.0.1:${ports[slot]}`).join("");
  return {
    kind: "kafka",
    settings: {
      listeners: `PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controllerPort}${listeners(slots)}`,
      "advertised.listeners": `PLAINTEXT://127.0.0.1:{port}${listeners(linePorts)}`,
      "listener.security.protocol.map": ["PLAINTEXT", "CONTROLLER", ...names]
        .map((name) => `${name}:PLAINTEXT`)
        .join(","),
      "inter.broker.listener.name": "PLAINTEXT",
    },
    portOf: (slot, broker) => (slot === null ? broker.port : (slots[slot] ?? 0)),
    prepare: createTopic,
    sinkYaml: (port) => `{ kind: kafka, brokers: ["127.0.0.1:${port}"], timeout: 2s, connectTimeout: 1s }`,
    read: async (broker) => {
      const pool = new ConnectionPool("chaos-reader");
      try {
        const partitions = Array.from({ length: PARTITIONS }, (_, partition) => partition);
        const read = await Promise.all(partitions.map((partition) => readPartition(pool, broker, partition)));
        return read.flat().map((record) => toReceipt(record, log.fromWallMs));
      } finally {
        await pool.close();
      }
    },
  };
}

async function createTopic(broker: OwnBroker): Promise<void> {
  const admin = new Admin({ clientId: "chaos", bootstrapBrokers: broker.addresses });
  try {
    const configs = [{ name: "message.timestamp.type", value: "LogAppendTime" }];
    await admin.createTopics({ topics: [TOPIC], partitions: PARTITIONS, replicas: 1, configs });
  } finally {
    await admin.close();
  }
}

interface ReadRecord {
  wallMs: number;
  id: string;
  slot: number | null;
  content: Content;
}

async function readPartition(pool: ConnectionPool, broker: OwnBroker, partition: number): Promise<ReadRecord[]> {
  const records: ReadRecord[] = [];
  const connection = await pool.get({ host: broker.host, port: broker.port });
  for (let next = 0n; ; ) {
    const from = { partition, currentLeaderEpoch: -1, fetchOffset: next, lastFetchedEpoch: -1 };
    const topics = [{ topicId: TOPIC, partitions: [{ ...from, partitionMaxBytes: MOST_BYTES }] }];
    const found = await waitFor(
      async () => {
        const answer = await fetchV12.api.async(connection, 0, 0, MOST_BYTES, 0, 0, -1, topics, [], "");
        return answer.responses[0]?.partitions[0];
      },
      { timeoutMs: 20_000, intervalMs: 100, message: "the partition can be read" },
    );
    for (const batch of [found.records ?? []].flat()) {
      for (const { offsetDelta, value, headers } of batch.records) {
        const offset = batch.firstOffset + BigInt(offsetDelta);
        if (offset < next) continue;
        next = offset + 1n;
        const header = (wanted: string) => [...headers].find(([name]) => String(name) === wanted)?.[1];
        const content = JSON.parse(String(value)) as Content;
        records.push({
          wallMs: Number(batch.maxTimestamp),
          id: String(header("event_id")),
          slot: slotOf(header(SLOT_HEADER)),
          content,
        });
      }
    }
    if (next >= found.highWatermark) return records;
  }
}

function toReceipt({ wallMs, id, slot, content }: ReadRecord, fromWallMs: (ms: number) => number): Receipt {
  return { id, aggregate: content.aggregate, n: content.n, atMs: fromWallMs(wallMs), slot, unconfirmed: false };
}
