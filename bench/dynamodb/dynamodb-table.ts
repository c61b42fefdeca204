import { randomUUID } from "node:crypto";
import {
  type AttributeValue,
  BatchWriteItemCommand,
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  QueryCommand,
  type TransactWriteItem,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { AGGREGATES, type BenchTable, OUTBOX, payloadOf } from "#tests/outbox-table.ts";
import type { BenchRow } from "../publishers/publisher.ts";

/** The SDK's chain finds these; the server of the benchmark accepts any. */
process.env.AWS_ACCESS_KEY_ID ??= "bench";
process.env.AWS_SECRET_ACCESS_KEY ??= "bench";

export const REGION = "eu-central-1";
export const DYNAMODB_TABLE = "bench";
const INDEX = "unpublished";
const KEY_PREFIX = "OUTBOX#";
const BATCH = 25;
const SEQUENCE_DIGITS = 12;

export type Item = Record<string, AttributeValue>;

/** The store's and the outbox's sections of outbox.yaml, over the table of the tutorials. */
export const outboxYaml = (endpoint: string, source: string) => `
discover: false
stores:
  bench:
    kind: dynamodb
    region: ${REGION}
    endpoint: "${endpoint}"
    families:
      bench:
        table: ${DYNAMODB_TABLE}
        keyPrefix: "${KEY_PREFIX}"
        attributes: { event_type: text, payload: json, published: boolean, created_at: time }
        waiting: { index: ${INDEX}, keys: ["yes"] }
outboxes:
  ${OUTBOX}:
    store: bench
    table: bench
    mode: relay
    columns: { id: SK, order: SK, aggregateId: PK, publishedAt: published }
    relay: { source: ${source}, force: true, sink: bench }
sinks: { bench: { kind: log } }
`;

export function connect(endpoint: string): DynamoDBClient {
  return new DynamoDBClient({ region: REGION, endpoint, requestHandler: { httpAgent: { maxSockets: 64 } } });
}

const key = (hash: string) => [
  { AttributeName: hash, KeyType: "HASH" } as const,
  { AttributeName: "SK", KeyType: "RANGE" } as const,
];

export interface DynamodbTable extends BenchTable {
  make(): Promise<void>;
  addPending(rows: number): Promise<number>;
}

/** `forget`: empties our own table. */
export function openDynamodbTable(client: DynamoDBClient, forget: () => Promise<void>): DynamodbTable {
  let there = false;
  return {
    async make() {
      if (there) await client.send(new DeleteTableCommand({ TableName: DYNAMODB_TABLE }));
      await client.send(
        new CreateTableCommand({
          TableName: DYNAMODB_TABLE,
          BillingMode: "PAY_PER_REQUEST",
          KeySchema: key("PK"),
          AttributeDefinitions: ["PK", "SK", INDEX].map((name) => ({ AttributeName: name, AttributeType: "S" })),
          GlobalSecondaryIndexes: [{ IndexName: INDEX, KeySchema: key(INDEX), Projection: { ProjectionType: "ALL" } }],
        }),
      );
      await waitUntilTableExists({ client, maxWaitTime: 20, minDelay: 1 }, { TableName: DYNAMODB_TABLE });
      there = true;
      await forget();
    },
    async addPending(rows) {
      for (let from = 0; from < rows; from += BATCH) {
        const puts = Array.from({ length: Math.min(BATCH, rows - from) }, (_, at) => ({
          PutRequest: { Item: eventItem(String((from + at) % AGGREGATES), from + at) },
        }));
        await client.send(new BatchWriteItemCommand({ RequestItems: { [DYNAMODB_TABLE]: puts } }));
      }
      return rows;
    },
    hasUnsent: async () => (await readWaiting(client, { limit: 1 })).length > 0,
    async countUnsent() {
      let count = 0;
      let from: Item | undefined;
      do {
        const page = await client.send(
          new QueryCommand({ ...waitingQuery(), Select: "COUNT", ...(from ? { ExclusiveStartKey: from } : {}) }),
        );
        count += page.Count ?? 0;
        from = page.LastEvaluatedKey;
      } while (from);
      return count;
    },
  };
}

const waitingQuery = () => ({
  ...{ TableName: DYNAMODB_TABLE, IndexName: INDEX, KeyConditionExpression: `${INDEX} = :yes` },
  ExpressionAttributeValues: { ":yes": { S: "yes" } },
});

/** Waiting items after `after`, in the order of the sort key; at most a page. */
export async function readWaiting(
  client: DynamoDBClient,
  { limit, after }: { limit: number; after?: Item | undefined },
): Promise<Item[]> {
  const start = after ? { ExclusiveStartKey: { PK: after.PK, SK: after.SK, [INDEX]: after[INDEX] } as Item } : {};
  const { Items: items = [] } = await client.send(new QueryCommand({ ...waitingQuery(), Limit: limit, ...start }));
  return items;
}

/** Marks an item as the tutorials do; it leaves the index. */
export function markOf({ PK, SK }: Item): Required<Pick<TransactWriteItem, "Update">> {
  return {
    Update: {
      TableName: DYNAMODB_TABLE,
      Key: { PK, SK } as Item,
      UpdateExpression: `SET published = :true REMOVE ${INDEX}`,
      ExpressionAttributeValues: { ":true": { BOOL: true } },
    },
  };
}

/** `n` orders it; `id` is its sort key and so the event's id. */
export function eventItem(aggregate: string, n: number, id = sortKeyOf(n)): Item {
  return {
    PK: { S: KEY_PREFIX + aggregate },
    SK: { S: id },
    event_type: { S: "order.changed" },
    payload: { S: payloadOf(n) },
    published: { BOOL: false },
    created_at: { S: new Date().toISOString() },
    unpublished: { S: "yes" },
  };
}

export function sortKeyOf(n: number): string {
  return `EVENT#${String(n).padStart(SEQUENCE_DIGITS, "0")}#${randomUUID()}`;
}

export function toBench({ PK, SK, event_type, payload, created_at }: Item): BenchRow {
  return {
    ...{ id: SK?.S ?? "", type: "order", aggregate: PK?.S ?? "", event: event_type?.S ?? "" },
    ...{ payload: payload?.S ?? "", created: created_at?.S ?? "" },
  };
}
