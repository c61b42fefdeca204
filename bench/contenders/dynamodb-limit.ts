import { TransactWriteItemsCommand } from "@aws-sdk/client-dynamodb";
import { connect, type Item, markOf, readWaiting, toBench } from "../dynamodb/dynamodb-table.ts";
import { openPublisher } from "../publishers/open-publisher.ts";
import type { Contender } from "./contender.ts";
import { runPipeline } from "./pipeline.ts";

const BATCH = 1000;
/** Most writes of a transaction. */
const WRITES = 100;

/**
 * The machine's limit for this work: reads the index ahead, publishes, and marks in concurrent transactions of 100. It
 * has no order, lease, claims or retries, trusts the index's copy of an item, and marks items without comparing them.
 */
export const dynamodbLimit: Contender = {
  async start({ url, target }) {
    const client = connect(url);
    const publisher = await openPublisher(target);
    let last: Item | undefined;
    const read = async () => {
      const items = await readWaiting(client, { limit: BATCH, after: last });
      last = items.at(-1) ?? last;
      return items;
    };
    const mark = (items: readonly Item[]) => {
      const parts = Array.from({ length: Math.ceil(items.length / WRITES) }, (_, at) =>
        items.slice(at * WRITES, (at + 1) * WRITES),
      );
      return Promise.all(
        parts.map((part) => client.send(new TransactWriteItemsCommand({ TransactItems: part.map(markOf) }))),
      );
    };
    const running = runPipeline({ read, toBench, publisher, mark });
    return {
      async stop() {
        await running.stop();
        client.destroy();
        await publisher.close();
      },
    };
  },
};
