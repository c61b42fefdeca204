import { Redis } from "ioredis";
import { type BrokerKindOfRecorder, TOPIC } from "./broker-recorder.ts";
import { type Content, type Receipt, type RecorderInput, SLOT_HEADER, slotOf } from "./recorder.ts";

const PAGE = 5000;

/** An entry's id begins with Redis' time of the append. */
export function redisRecorder({ log }: RecorderInput): BrokerKindOfRecorder {
  return {
    kind: "redis",
    prepare: async () => undefined,
    sinkYaml: (port) => `{ kind: redis, url: "redis://127.0.0.1:${port}", timeout: 2s, connectTimeout: 1s }`,
    read: async ({ url }) => {
      const redis = new Redis(url);
      try {
        const receipts: Receipt[] = [];
        for (let after = "-"; ; ) {
          const entries = await redis.xrange(TOPIC, after, "+", "COUNT", PAGE);
          for (const [id, fields] of entries) receipts.push(toReceipt(id, fields, log.fromWallMs));
          if (entries.length < PAGE) return receipts;
          after = `(${entries.at(-1)?.[0]}`;
        }
      } finally {
        redis.disconnect();
      }
    },
  };
}

function toReceipt(entry: string, fields: readonly string[], fromWallMs: (ms: number) => number): Receipt {
  const field = (name: string) => fields[fields.indexOf(name) + 1] ?? "";
  const { aggregate, n } = JSON.parse(field("payload")) as Content;
  return {
    id: field("event_id"),
    aggregate,
    n,
    atMs: fromWallMs(Number.parseInt(entry, 10)),
    slot: slotOf(field(SLOT_HEADER)),
    unconfirmed: false,
  };
}
