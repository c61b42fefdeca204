import { Admin, ConfigResourceTypes, type Connection, ConnectionPool, fetchV12 } from "@platformatic/kafka";
import type { OwnBroker } from "#tests/brokers/broker.ts";
import { choosePorts } from "#tests/brokers/choose-ports.ts";
import { waitFor } from "#tests/wait-for.ts";
import type { Side } from "./side.ts";

const PARTITIONS = 4;
const MOST_BYTES = 20_000_000;
/** The operation of an incremental change, and the broker's usual `max.message.bytes`. */
const [SET, USUAL_BYTES] = [0, "1048588"] as const;

/** Kafka tells clients where to connect, so each line leads to a listener that advertises the line's address. */
export async function kafkaSide(linePorts: readonly number[]): Promise<Side> {
  const ports = await choosePorts(linePorts.length);
  const names = ports.map((_, index) => `LINE${index}`);
  const at = (all: readonly number[]) => names.map((name, index) => `,${name}://127.0.0.1:${all[index]}`).join("");
  return {
    settings: {
      listeners: `PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controllerPort}${at(ports)}`,
      "advertised.listeners": `PLAINTEXT://127.0.0.1:{port}${at(linePorts)}`,
      "listener.security.protocol.map": ["PLAINTEXT", "CONTROLLER", ...names]
        .map((name) => `${name}:PLAINTEXT`)
        .join(","),
      "inter.broker.listener.name": "PLAINTEXT",
    },
    portOf: (index) => ports[index] ?? 0,
    prepare: (broker, topics) =>
      withAdmin(broker, (admin) => admin.createTopics({ topics: [...topics], partitions: PARTITIONS, replicas: 1 })),
    refuse: (broker, topics, on) =>
      withAdmin(broker, (admin) => {
        const configs = [{ name: "max.message.bytes", configOperation: SET, value: on ? "1" : USUAL_BYTES }];
        const resources = topics.map((resourceName) => ({
          resourceType: ConfigResourceTypes.TOPIC,
          resourceName,
          configs,
        }));
        return admin.incrementalAlterConfigs({ resources });
      }),
    read: readTopic,
  };
}

async function withAdmin(broker: OwnBroker, work: (admin: Admin) => Promise<unknown>): Promise<void> {
  const admin = new Admin({ clientId: "soak", bootstrapBrokers: broker.addresses });
  try {
    await work(admin);
  } finally {
    await admin.close();
  }
}

async function readTopic({ host, port }: OwnBroker, topic: string, add: (payload: string) => void): Promise<void> {
  const pool = new ConnectionPool("soak-reader");
  try {
    const connection = await pool.get({ host, port });
    for (let partition = 0; partition < PARTITIONS; partition += 1) {
      await readPartition(connection, { topic, partition }, add);
    }
  } finally {
    await pool.close();
  }
}

/** A lane's messages have one key, and are all in one partition. */
async function readPartition(
  connection: Connection,
  { topic, partition }: { topic: string; partition: number },
  add: (payload: string) => void,
): Promise<void> {
  for (let next = 0n; ; ) {
    const from = { partition, currentLeaderEpoch: -1, fetchOffset: next, lastFetchedEpoch: -1 };
    const topics = [{ topicId: topic, partitions: [{ ...from, partitionMaxBytes: MOST_BYTES }] }];
    const found = await waitFor(
      async () => {
        const answer = await fetchV12.api.async(connection, 0, 0, MOST_BYTES, 0, 0, -1, topics, [], "");
        return answer.responses[0]?.partitions[0];
      },
      { intervalMs: 100, message: "the partition can be read" },
    );
    for (const batch of [found.records ?? []].flat()) {
      for (const { offsetDelta, value } of batch.records) {
        const offset = batch.firstOffset + BigInt(offsetDelta);
        if (offset < next) continue;
        next = offset + 1n;
        add(String(value));
      }
    }
    if (next >= found.highWatermark) return;
  }
}
