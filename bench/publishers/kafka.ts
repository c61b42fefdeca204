import { ProduceAcks, Producer } from "@platformatic/kafka";
import { TOPIC } from "../target.ts";
import type { BenchRow, Publisher } from "./publisher.ts";

export async function openKafkaPublisher(url: string): Promise<Publisher> {
  const producer = new Producer({
    clientId: "bench",
    bootstrapBrokers: url.split(","),
    acks: ProduceAcks.ALL,
    idempotent: true,
  });
  const send = async (rows: readonly BenchRow[]) => {
    await producer.send({
      messages: rows.map(({ id, aggregate, event, payload }) => ({
        topic: TOPIC,
        key: Buffer.from(aggregate),
        value: Buffer.from(payload),
        headers: new Map([
          [Buffer.from("event_id"), Buffer.from(id)],
          [Buffer.from("event_type"), Buffer.from(event)],
        ]),
      })),
    });
  };
  return {
    all: send,
    one: (row) => send([row]),
    close: async () => {
      await producer.close();
    },
  };
}
