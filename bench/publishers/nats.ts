import { jetstream } from "@nats-io/jetstream";
import { connect, headers } from "@nats-io/transport-node";
import { TOPIC } from "../target.ts";
import type { BenchRow, Publisher } from "./publisher.ts";

export async function openNatsPublisher(url: string): Promise<Publisher> {
  const connection = await connect({ servers: url });
  const stream = jetstream(connection, { timeout: 30_000 });
  const one = async ({ id, aggregate, event, payload }: BenchRow) => {
    const own = headers();
    own.set("key", aggregate);
    own.set("event_type", event);
    await stream.publish(TOPIC, payload, { msgID: id, headers: own });
  };
  return {
    async all(rows) {
      await Promise.all(rows.map(one));
    },
    one,
    close: () => connection.close(),
  };
}
