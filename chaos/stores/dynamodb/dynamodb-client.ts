import {
  type AttributeValue,
  DynamoDBClient,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  type ScanCommandInput,
} from "@aws-sdk/client-dynamodb";
import { OWN_TABLE, REGION } from "./dynamodb-tables.ts";

export type Item = Record<string, AttributeValue>;

/** The SDK's chain finds these, in the relays too; a server of tests accepts any. */
process.env.AWS_ACCESS_KEY_ID ??= "test";
process.env.AWS_SECRET_ACCESS_KEY ??= "test";

/** A client without retries, because the writer of a transaction must learn that its outcome was lost. */
export function openClient(endpoint: string): DynamoDBClient {
  return new DynamoDBClient({
    region: REGION,
    endpoint,
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 5000, throwOnRequestTimeout: true },
  });
}

export async function queryAll(client: DynamoDBClient, input: QueryCommandInput): Promise<Item[]> {
  return pages((start) => client.send(new QueryCommand({ ...input, ...start })));
}

/** Consistent. */
export async function scanAll(client: DynamoDBClient, input: ScanCommandInput): Promise<Item[]> {
  return pages((start) => client.send(new ScanCommand({ ...input, ConsistentRead: true, ...start })));
}

/** Items of a partition of our own table, consistent. */
export function ownItems(client: DynamoDBClient, pk: string, prefix = ""): Promise<Item[]> {
  const begins = prefix === "" ? "" : " AND begins_with(sk, :prefix)";
  return queryAll(client, {
    TableName: OWN_TABLE,
    ConsistentRead: true,
    KeyConditionExpression: `pk = :pk${begins}`,
    ExpressionAttributeValues: { ":pk": { S: pk }, ...(prefix === "" ? {} : { ":prefix": { S: prefix } }) },
  });
}

/** What one of our own items records. */
export function docOf<Doc>(item: Item): Doc {
  return JSON.parse(item.doc?.S ?? "null") as Doc;
}

interface Page {
  Items?: Item[] | undefined;
  LastEvaluatedKey?: Item | undefined;
}

async function pages(read: (start: { ExclusiveStartKey?: Item }) => Promise<Page>): Promise<Item[]> {
  const items: Item[] = [];
  let from: Item | undefined;
  do {
    const page = await read(from ? { ExclusiveStartKey: from } : {});
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from);
  return items;
}
