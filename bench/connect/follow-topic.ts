import { Consumer, stringDeserializer } from "@platformatic/kafka";
import { TOPIC } from "../target.ts";

export interface FollowedTopic {
  close(): Promise<void>;
}

/**
 * Passes on the id of every message in the benchmark's topic, or only of those from the given offset of each partition.
 * Debezium has the id in the header `id`; we and the limit have it in `event_id`.
 */
export async function followTopic(
  bootstrapBrokers: string[],
  receive: (id: string) => void,
  from?: readonly bigint[],
): Promise<FollowedTopic> {
  const consumer = new Consumer({
    groupId: `bench-${process.pid}-${performance.now()}`,
    clientId: "bench",
    bootstrapBrokers,
    deserializers: { headerKey: stringDeserializer, headerValue: stringDeserializer },
  });
  const place = from
    ? { mode: "manual" as const, offsets: from.map((offset, partition) => ({ topic: TOPIC, partition, offset })) }
    : { mode: "earliest" as const };
  const stream = await consumer.consume({ topics: [TOPIC], autocommit: false, ...place });
  stream.on("data", ({ headers }) => receive(headers.get("event_id") ?? headers.get("id") ?? ""));
  return {
    async close() {
      await stream.close();
      await consumer.close(true);
    },
  };
}
