import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { type BrokerKindOfRecorder, TOPIC } from "./broker-recorder.ts";
import { type Content, type Receipt, type RecorderInput, SLOT_HEADER, slotOf } from "./recorder.ts";

/** The shortest window that the server allows: a stream that drops duplicates would hide them from the judge. */
const DUPLICATE_WINDOW_NANOS = 100_000_000;
const NANOS_PER_MS = 1_000_000;

export function natsRecorder({ log }: RecorderInput): BrokerKindOfRecorder {
  return {
    kind: "nats",
    prepare: async ({ url }) => {
      const connection = await connect({ servers: url });
      const manager = await jetstreamManager(connection);
      await manager.streams.add({ name: TOPIC, subjects: [TOPIC], duplicate_window: DUPLICATE_WINDOW_NANOS });
      await connection.close();
    },
    sinkYaml: (port) => `{ kind: nats, servers: ["nats://127.0.0.1:${port}"], timeout: 2s, connectTimeout: 1s }`,
    read: async ({ url }) => {
      const connection = await connect({ servers: url });
      try {
        const { state } = await (await jetstreamManager(connection)).streams.info(TOPIC);
        const receipts: Receipt[] = [];
        if (state.messages === 0) return receipts;
        const consumer = await jetstream(connection).consumers.get(TOPIC);
        const messages = await consumer.consume();
        for await (const message of messages) {
          const { aggregate, n } = message.json<Content>();
          const atMs = log.fromWallMs(message.info.timestampNanos / NANOS_PER_MS);
          const { headers } = message;
          const slot = slotOf(headers?.get(SLOT_HEADER));
          receipts.push({ id: headers?.get("event_id") ?? "", aggregate, n, atMs, slot, unconfirmed: false });
          if (message.seq >= state.last_seq) break;
        }
        return receipts;
      } finally {
        await connection.close();
      }
    },
  };
}
