import { Connection } from "rabbitmq-client";
import { TOPIC } from "../target.ts";
import type { BenchRow, Publisher } from "./publisher.ts";

/**
 * The client's own publisher with the guarantees of the relay's sink: persistent, confirmed and mandatory, where a
 * message that no queue takes ends the measurement. Left out: order, an outcome per message, three of the relay's five
 * headers, and backpressure, since all messages are handed to the client at once.
 */
export async function openRabbitmqPublisher(url: string): Promise<Publisher> {
  const connection = new Connection({ url });
  const publisher = connection.createPublisher({ confirm: true, maxAttempts: 1 });
  publisher.on("basic.return", ({ messageId, replyText }) => {
    throw new Error(`Message ${messageId} came back: ${replyText}.`);
  });
  await connection.onConnect();
  const one = ({ id, aggregate, event, payload }: BenchRow) =>
    publisher.send(
      {
        exchange: "",
        routingKey: TOPIC,
        mandatory: true,
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
