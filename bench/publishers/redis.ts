import { Redis } from "ioredis";
import { TOPIC } from "../target.ts";
import type { BenchRow, Publisher } from "./publisher.ts";

/**
 * ioredis as its documentation shows it: one pipeline, one promise per command. An entry has four fields instead of the
 * relay's eight: aggregate type and id, creation time and content type are left out. Commands after a failure still
 * run, so order is not kept; there is no timeout.
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
