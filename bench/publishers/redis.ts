import { Redis } from "ioredis";
import { TOPIC } from "../target.ts";
import type { BenchRow, Publisher } from "./publisher.ts";

/**
 * ioredis as its documentation shows it: one pipeline, one promise a command. An entry has four fields where the relay's
 * has eight: aggregate type and id, time of creation and content type are left out. After a failure the commands behind it
 * still run, so that no order is kept; answers are waited for without end.
 */
export async function openRedisPublisher(url: string): Promise<Publisher> {
  const redis = new Redis(url, { lazyConnect: true });
  await redis.connect();
  const entry = ({ id, aggregate, event, payload }: BenchRow) =>
    [TOPIC, "*", "event_id", id, "key", aggregate, "event_type", event, "payload", payload] as const;
  return {
    async all(rows) {
      const pipeline = redis.pipeline();
      for (const row of rows) pipeline.xadd(...entry(row));
      for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
    },
    async one(row) {
      await redis.xadd(...entry(row));
    },
    async close() {
      redis.disconnect();
    },
  };
}
