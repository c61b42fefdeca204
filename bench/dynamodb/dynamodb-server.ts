import { DeleteTableCommand } from "@aws-sdk/client-dynamodb";
import { openStore } from "#db/stores/open-store.ts";
import { runDynamodb } from "#tests/dynamodb/run-dynamodb.ts";
import { cpuMicrosOf } from "../server-cpu.ts";
import { connect, type DynamodbTable, openDynamodbTable, REGION } from "./dynamodb-table.ts";

/** A server that speaks DynamoDB's protocol, private to the benchmark, in memory. */
export interface DynamodbServer {
  /** Its endpoint. */
  url: string;
  table: DynamodbTable;
  cpuMicros(): Promise<number>;
  stop(): Promise<void>;
}

const OWN_TABLE = "outbox_console";

export async function startDynamodbServer(): Promise<DynamodbServer> {
  const server = await runDynamodb();
  const client = connect(server.url);
  const migrate = async () => {
    const store = await openStore({
      ...{ kind: "dynamodb", name: "bench", applicationName: "outbox-console bench", families: {} },
      url: `dynamodb://${REGION}?endpoint=${encodeURIComponent(server.url)}`,
    });
    await store.migrate().finally(() => store.close());
  };
  await migrate();
  const forget = async () => {
    await client.send(new DeleteTableCommand({ TableName: OWN_TABLE }));
    await migrate();
  };
  return {
    url: server.url,
    table: openDynamodbTable(client, forget),
    cpuMicros: () => cpuMicrosOf(server.pid()),
    async stop() {
      client.destroy();
      await server.remove();
    },
  };
}
