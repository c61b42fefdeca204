import {
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";

export const REGION = "eu-central-1";
/** Holds the outbox under a key prefix, as in tutorials. */
export const TABLE = "shop";
export const KEY_PREFIX = "OUTBOX#";
export const INDEX = "unpublished";
export const FAMILY = "orders";
/** The writers' aggregates and their ledger, by `pk`. */
export const LEDGER_TABLE = "chaos";
export const OWN_TABLE = "outbox_console";

/** The family's section of outbox.yaml. */
export const FAMILY_YAML = `{ table: ${TABLE}, keyPrefix: "${KEY_PREFIX}", attributes: { event_type: text, payload: json, published: boolean, created_at: time, available_at: time, ttl: seconds }, waiting: { index: ${INDEX}, keys: ["yes"] }, keepPublished: { attribute: ttl, days: 7 } }`;

export async function createTables(client: DynamoDBClient): Promise<void> {
  const text = (AttributeName: string) => ({ AttributeName, AttributeType: "S" }) as const;
  const key = (hash: string) => [
    { AttributeName: hash, KeyType: "HASH" } as const,
    { AttributeName: "SK", KeyType: "RANGE" } as const,
  ];
  await create(client, {
    TableName: TABLE,
    KeySchema: key("PK"),
    AttributeDefinitions: ["PK", "SK", INDEX].map(text),
    GlobalSecondaryIndexes: [{ IndexName: INDEX, KeySchema: key(INDEX), Projection: { ProjectionType: "ALL" } }],
  });
  const ttl = { Enabled: true, AttributeName: "ttl" };
  await client.send(new UpdateTimeToLiveCommand({ TableName: TABLE, TimeToLiveSpecification: ttl }));
  await create(client, {
    TableName: LEDGER_TABLE,
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    AttributeDefinitions: [text("pk")],
  });
}

async function create(client: DynamoDBClient, table: Omit<CreateTableCommandInput, "BillingMode">): Promise<void> {
  await client.send(new CreateTableCommand({ ...table, BillingMode: "PAY_PER_REQUEST" } as CreateTableCommandInput));
  await waitUntilTableExists({ client, maxWaitTime: 20, minDelay: 1 }, { TableName: table.TableName });
}
