import { Connection } from "rabbitmq-client";
import { TOPIC } from "../target.ts";
import type { BenchRow, Publisher } from "./publisher.ts";

export async function openRabbitmqPublisher(url: string): Promise<Publisher> {
  const connection = new Connection({ url });
  const publisher = connection.createPublisher({ confirm: true, maxAttempts: 1 });
  await connection.onConnect();
  const one = ({ id, aggregate, event, payload }: BenchRow) =>
    publisher.send(
      {
        exchange: "",
        routingKey: TOPIC,
        durable: true,
        messageId: id,
        contentType: "application/json",
        headers: { key: aggregate, event_type: event },
      },
      Buffer.from(payload),
    );
  return {
    async all(rows) {
      await Promise.all(rows.map(one));
    },
    one,
    async close() {
      await publisher.close();
      await connection.close();
    },
  };
}
