import { Admin, ListOffsetTimestamps } from "@platformatic/kafka";
import { waitFor } from "#tests/wait-for.ts";
import { TOPIC } from "../target.ts";
import { followTopic } from "./follow-topic.ts";

const PARTITIONS = 8;

/** Counts messages of the benchmark's topic by the broker's offsets. */
export interface BenchTopic {
  brokers: string[];
  /** The next offset of each partition. */
  ends(): Promise<bigint[]>;
  /** Messages since those offsets, repeated ones included. */
  countSince(ends: readonly bigint[]): Promise<number>;
  /** Reads the messages after those offsets. */
  countDistinctSince(ends: readonly bigint[]): Promise<number>;
  close(): Promise<void>;
}

/** Creates the topic and the given others. */
export async function makeBenchTopic(brokers: string[], others: readonly string[]): Promise<BenchTopic> {
  const admin = new Admin({ clientId: "bench", bootstrapBrokers: brokers });
  await admin.createTopics({ topics: [TOPIC], partitions: PARTITIONS, replicas: 1 });
  await admin.createTopics({ topics: [...others], partitions: 1, replicas: 1 });
  const partitions = Array.from({ length: PARTITIONS }, (_, partitionIndex) => ({
    partitionIndex,
    timestamp: ListOffsetTimestamps.LATEST,
  }));
  const ends = async () => {
    const [listed] = await admin.listOffsets({ topics: [{ name: TOPIC, partitions }] });
    const found = new Map(listed?.partitions.map(({ partitionIndex, offset }) => [partitionIndex, offset]));
    return partitions.map(({ partitionIndex }) => found.get(partitionIndex) ?? 0n);
  };
  const countSince = async (before: readonly bigint[]) =>
    (await ends()).reduce((sum, end, partition) => sum + Number(end - (before[partition] ?? 0n)), 0);
  return {
    ...{ brokers, ends, countSince },
    async countDistinctSince(before) {
      const held = await countSince(before);
      const ids = new Set<string>();
      let read = 0;
      const receive = (id: string) => {
        ids.add(id);
        read += 1;
      };
      const followed = await followTopic(brokers, receive, before);
      await waitFor(() => read >= held, { message: `${held} messages are read` });
      await followed.close();
      return ids.size;
    },
    close: () => admin.close(),
  };
}
