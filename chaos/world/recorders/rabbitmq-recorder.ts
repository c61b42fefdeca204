import { Connection } from "rabbitmq-client";
import { type BrokerKindOfRecorder, TOPIC } from "./broker-recorder.ts";
import { type Content, type Receipt, SLOT_HEADER, slotOf } from "./recorder.ts";

/** A durable queue behind the default exchange. The broker does not record arrival times. */
export function rabbitmqRecorder(): BrokerKindOfRecorder {
  return {
    kind: "rabbitmq",
    prepare: ({ url }) => use(url, async (connection) => void (await connection.queueDeclare(QUEUE))),
    sinkYaml: (port) =>
      `{ kind: rabbitmq, url: "amqp://guest:guest@127.0.0.1:${port}", timeout: 2s, connectTimeout: 1s }`,
    read: ({ url }) => use(url, readAll),
  };
}

const QUEUE = { queue: TOPIC, durable: true };

async function readAll(connection: Connection): Promise<Receipt[]> {
  const { messageCount } = await connection.queueDeclare(QUEUE);
  const receipts: Receipt[] = [];
  if (messageCount === 0) return receipts;
  await new Promise<void>((resolve, reject) => {
    const consumer = connection.createConsumer(
      { queue: TOPIC, queueOptions: QUEUE, noAck: true },
      async ({ messageId, headers, body }) => {
        const { aggregate, n } = (
          typeof body === "object" && !Buffer.isBuffer(body) ? body : JSON.parse(String(body))
        ) as Content;
        receipts.push({
          id: messageId ?? "",
          aggregate,
          n,
          atMs: null,
          slot: slotOf(headers?.[SLOT_HEADER]),
          unconfirmed: false,
        });
        if (receipts.length === messageCount) resolve();
      },
    );
    consumer.on("error", reject);
  });
  return receipts;
}

async function use<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = new Connection({ url });
  connection.on("error", () => undefined);
  try {
    return await work(connection);
  } finally {
    await connection.unsafeDestroy();
  }
}
