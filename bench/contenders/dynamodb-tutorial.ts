import { UpdateItemCommand } from "@aws-sdk/client-dynamodb";
import { connect, markOf, readWaiting, toBench } from "../dynamodb/dynamodb-table.ts";
import { openPublisher } from "../publishers/open-publisher.ts";
import type { Contender } from "./contender.ts";

const BATCH = 100;
const SLEEP_MS = 500;

/** The loop of tutorials, on DynamoDB: read 100 items of the index, publish and mark one by one. */
export const dynamodbTutorial: Contender = {
  async start({ url, target }) {
    const client = connect(url);
    const publisher = await openPublisher(target);
    let stopped = false;
    const loop = async () => {
      while (!stopped) {
        const items = await readWaiting(client, { limit: BATCH });
        for (const item of items) {
          if (stopped) break;
          await publisher.one(toBench(item));
          await client.send(new UpdateItemCommand(markOf(item).Update));
        }
        if (items.length === 0) await new Promise((resolve) => setTimeout(resolve, SLEEP_MS));
      }
    };
    const running = loop();
    return {
      async stop() {
        stopped = true;
        await running;
        client.destroy();
        await publisher.close();
      },
    };
  },
};
