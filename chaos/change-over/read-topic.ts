import { Admin, Consumer, ListOffsetTimestamps, stringDeserializers } from "@platformatic/kafka";
import { waitFor } from "#tests/wait-for.ts";

export interface Arrived {
  aggregate: string;
  n: number;
}

export interface FollowedTopic {
  /** Everything so far, in order within each aggregate. */
  readonly arrived: readonly Arrived[];
  /** Resolves once everything that the topic holds now was read. */
  untilEnd(): Promise<void>;
  close(): Promise<void>;
}

const LONGEST_MS = 120_000;

/** Reads a topic from its beginning on. */
export async function followTopic(bootstrapBrokers: string[], topic: string): Promise<FollowedTopic> {
  const consumer = new Consumer({
    groupId: `change-over-${process.pid}-${topic}`,
    clientId: "change-over",
    bootstrapBrokers,
    deserializers: stringDeserializers,
  });
  const stream = await consumer.consume({ topics: [topic], mode: "earliest", autocommit: false });
  const arrived: Arrived[] = [];
  stream.on("data", ({ value }) => {
    const { aggregate, n } = JSON.parse(String(value)) as Arrived;
    arrived.push({ aggregate, n });
  });
  const admin = new Admin({ clientId: "change-over", bootstrapBrokers });
  return {
    arrived,
    async untilEnd() {
      const held = await countHeld(admin, topic);
      await waitFor(() => arrived.length >= held, { timeoutMs: LONGEST_MS, message: `${held} messages are read` });
    },
    async close() {
      await stream.close();
      await Promise.all([consumer.close(true), admin.close()]);
    },
  };
}

async function countHeld(admin: Admin, topic: string): Promise<number> {
  const [described] = await admin.metadata({ topics: [topic] }).then(({ topics }) => [topics.get(topic)]);
  const partitions = Array.from({ length: described?.partitionsCount ?? 0 }, (_, partitionIndex) => ({
    partitionIndex,
    timestamp: ListOffsetTimestamps.LATEST,
  }));
  const [listed] = await admin.listOffsets({ topics: [{ name: topic, partitions }] });
  return (listed?.partitions ?? []).reduce((sum, { offset }) => sum + Number(offset), 0);
}

export interface Verdict {
  lost: number;
  /** Messages that arrived more than once. */
  repeated: number;
  /** First deliveries that came after a later one of their aggregate. */
  inverted: number;
}

/** `committed` events were written; within an aggregate n counts from 0 without gaps. */
export function judge(arrived: readonly Arrived[], committed: number): Verdict {
  const times = new Map<string, number>();
  const last = new Map<string, number>();
  let inverted = 0;
  for (const { aggregate, n } of arrived) {
    const key = `${aggregate}/${n}`;
    const before = times.get(key) ?? 0;
    times.set(key, before + 1);
    if (before > 0) continue;
    const highest = last.get(aggregate) ?? -1;
    if (n < highest) inverted += 1;
    last.set(aggregate, Math.max(highest, n));
  }
  const repeated = [...times.values()].filter((count) => count > 1).length;
  return { lost: committed - times.size, repeated, inverted };
}
