import { randomBytes } from "node:crypto";
import {
  type AttributeValue,
  BatchWriteItemCommand,
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteItemCommand,
  DeleteTableCommand,
  DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  ScanCommand,
  UpdateTableCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { inject, TestRunner } from "vitest";

export type TestItem = Record<string, AttributeValue>;

/** Tables with a common name prefix, on the run's server. */
export interface TestTables {
  /** Endpoint of the server. */
  url: string;
  client: DynamoDBClient;
  /** Prefix of all tables' names. */
  prefix: string;
  create(name: string, table: Omit<CreateTableCommandInput, "TableName" | "BillingMode">): Promise<string>;
  put(table: string, items: readonly TestItem[]): Promise<void>;
  get(table: string, key: TestItem): Promise<TestItem | null>;
  /** Every item, consistently. */
  all(table: string): Promise<TestItem[]>;
  delete(table: string, key: TestItem): Promise<void>;
  /** Switches the table's stream on. */
  stream(table: string): Promise<void>;
  drop(): Promise<void>;
}

/** The SDK's chain finds these; a server of tests accepts any. */
process.env.AWS_ACCESS_KEY_ID ??= "test";
process.env.AWS_SECRET_ACCESS_KEY ??= "test";

const BATCH = 25;

/** Tables of one test, on the run's server or the one at `url`. In a test it is skipped where there is no server. */
export function openTestTables(url?: string): TestTables {
  const found = url === undefined ? inject("dynamodb") : { url };
  if ("unavailable" in found) {
    const test = TestRunner.getCurrentTest();
    if (test) return test.context.skip(found.unavailable);
    throw new Error(found.unavailable);
  }
  const client = new DynamoDBClient({ region: "eu-central-1", endpoint: found.url });
  const prefix = `t${process.pid}_${randomBytes(4).toString("hex")}_`;
  return {
    url: found.url,
    client,
    prefix,
    create: async (name, table) => {
      const TableName = `${prefix}${name}`;
      await client.send(new CreateTableCommand({ ...table, TableName, BillingMode: "PAY_PER_REQUEST" }));
      await waitUntilTableExists({ client, maxWaitTime: 20, minDelay: 1 }, { TableName });
      return TableName;
    },
    put: (table, items) => putAll(client, table, items),
    get: async (table, Key) =>
      (await client.send(new GetItemCommand({ TableName: table, Key, ConsistentRead: true }))).Item ?? null,
    all: async (table) => {
      const items: TestItem[] = [];
      let from: TestItem | undefined;
      do {
        const input = { TableName: table, ConsistentRead: true, ...(from ? { ExclusiveStartKey: from } : {}) };
        const page = await client.send(new ScanCommand(input));
        items.push(...(page.Items ?? []));
        from = page.LastEvaluatedKey;
      } while (from);
      return items;
    },
    delete: async (table, Key) => void (await client.send(new DeleteItemCommand({ TableName: table, Key }))),
    stream: async (table) => {
      const StreamSpecification = { StreamEnabled: true, StreamViewType: "NEW_IMAGE" } as const;
      await client.send(new UpdateTableCommand({ TableName: table, StreamSpecification }));
    },
    drop: async () => {
      const { TableNames: names = [] } = await client.send(new ListTablesCommand({}));
      for (const TableName of names.filter((name) => name.startsWith(prefix)))
        await client.send(new DeleteTableCommand({ TableName }));
      client.destroy();
    },
  };
}

async function putAll(client: DynamoDBClient, table: string, items: readonly TestItem[]): Promise<void> {
  const [only] = items;
  if (items.length === 1 && only) {
    await client.send(new PutItemCommand({ TableName: table, Item: only }));
    return;
  }
  for (let at = 0; at < items.length; at += BATCH) {
    const puts = items.slice(at, at + BATCH).map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: puts } }));
  }
}
