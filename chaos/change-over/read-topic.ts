import { Consumer, stringDeserializers } from "@platformatic/kafka";

export interface Arrived {
  aggregate: string;
  n: number;
}

const QUIET_MS = 4_000;
const LONGEST_MS = 120_000;

/** Everything in a topic, in order within each aggregate; ends when `expected` have come and nothing more does. */
export async function readTopic(brokers: string[], topic: string, expected: number): Promise<Arrived[]> {
  const consumer = new Consumer({
    groupId: `change-over-${process.pid}`,
    clientId: "change-over",
    bootstrapBrokers: brokers,
    deserializers: stringDeserializers,
  });
  const stream = await consumer.consume({ topics: [topic], mode: "earliest", autocommit: false });
  const arrived: Arrived[] = [];
  let quietSinceMs = performance.now();
  stream.on("data", ({ value }) => {
    const { aggregate, n } = JSON.parse(String(value)) as Arrived;
    arrived.push({ aggregate, n });
    quietSinceMs = performance.now();
  });
  const startedMs = performance.now();
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const quiet = performance.now() - quietSinceMs > QUIET_MS;
      if (!(quiet && arrived.length >= expected) && performance.now() - startedMs < LONGEST_MS) return;
      clearInterval(timer);
      resolve();
    }, 200);
  });
  await stream.close();
  await consumer.close(true);
  return arrived;
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
