import { ProduceAcks, Producer } from "@platformatic/kafka";
import { PUBLISHED } from "#relay/sinks/sink.ts";
import { HALVES } from "../soak-message.ts";
import { type Contender, type ContenderInput, failedWith, routerOf } from "./contender.ts";

/**
 * The producer of @platformatic/kafka, idempotent and with acks from all in-sync replicas. Only the time limits differ
 * from its defaults; an idempotent one retries without end.
 */
export function openPlatformaticKafka(input: ContenderInput): Contender {
  const route = routerOf(input);
  const producer = new Producer({
    clientId: "soak-library",
    bootstrapBrokers: [`127.0.0.1:${input.port}`],
    acks: ProduceAcks.ALL,
    idempotent: true,
    timeout: input.timeoutMs,
    requestTimeout: input.timeoutMs,
    connectTimeout: input.connectTimeoutMs,
  });
  return {
    maxBatch: 1000,
    // The messages of a lane go to one partition, in one batch.
    keepsOrderInBatch: true,
    connect: async () => {
      await producer.metadata({ topics: HALVES.map((half) => `${input.topic}-${half}`) });
    },
    publish: async (messages) => {
      const records = messages.map((message) => {
        const result = route(message);
        if ("failure" in result) throw new Error(result.failure.message);
        const { topic, key, headers, body } = result.routed;
        return { topic, key: bytes(key), value: bytes(body), headers: new Map(headers.map(pairOfBytes)) };
      });
      try {
        await producer.send({ messages: records });
        return messages.map(() => PUBLISHED);
      } catch (error) {
        return messages.map(() => failedWith(error));
      }
    },
    close: () => producer.close(),
  };
}

function bytes(text: string | Buffer | null): Buffer {
  return typeof text === "string" ? Buffer.from(text) : (text ?? Buffer.alloc(0));
}

function pairOfBytes([name, value]: readonly [string, string]): [Buffer, Buffer] {
  return [Buffer.from(name), Buffer.from(value)];
}
