import { Redis } from "ioredis";
import type { Side } from "./side.ts";

const PAGE = 5000;

export function redisSide(): Side {
  return {
    // Without fsync every append is written before it is answered, and survives a SIGKILL. With fsync every second
    // Redis postpones writes while the disk is busy, and itself loses confirmed entries then.
    settings: { appendonly: "yes", appendfsync: "no" },
    portOf: (_, broker) => broker.port,
    prepare: async () => undefined,
    read: async ({ url }, topic, add) => {
      const redis = new Redis(url);
      try {
        for (let after = "-"; ; ) {
          const entries = await redis.xrange(topic, after, "+", "COUNT", PAGE);
          for (const [, fields] of entries) add(fields[fields.lastIndexOf("payload") + 1] ?? "");
          if (entries.length < PAGE) return;
          after = `(${entries.at(-1)?.[0]}`;
        }
      } finally {
        redis.disconnect();
      }
    },
  };
}
