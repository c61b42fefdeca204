import { type DynamoDBClient, QueryCommand } from "@aws-sdk/client-dynamodb";
import { PARTITIONS } from "#db/stores/dynamodb/own-table/own-table.ts";
import { encodeMessageId } from "#db/stores/port/message-id.ts";
import { aggregateName } from "../../workload/aggregate-names.ts";
import { OUTBOX } from "../../world/relay-config.ts";
import type { Candidate, OperatorVerb } from "../chaos-store.ts";
import { type Item, ownItems } from "./dynamodb-client.ts";
import { eventIdOf } from "./dynamodb-evidence.ts";
import { INDEX, KEY_PREFIX, TABLE } from "./dynamodb-tables.ts";

/** Aggregates that are asked for published messages. */
const HOT_AGGREGATES = 20;

/** Messages to which the verb applies. */
export function findCandidates(client: DynamoDBClient, verb: OperatorVerb, limit: number): Promise<Candidate[]> {
  if (verb === "dead-letter") return newestWaiting(client, limit);
  if (verb === "archive") return somePublished(client, limit);
  return ownRecords(client, verb === "retry" ? PARTITIONS.dead(OUTBOX) : PARTITIONS.archive(OUTBOX), limit);
}

async function newestWaiting(client: DynamoDBClient, limit: number): Promise<Candidate[]> {
  const { Items: items = [] } = await client.send(
    new QueryCommand({
      ...{ TableName: TABLE, IndexName: INDEX, ScanIndexForward: false, Limit: limit },
      KeyConditionExpression: `${INDEX} = :yes`,
      ExpressionAttributeValues: { ":yes": { S: "yes" } },
    }),
  );
  return items.map(candidateOf);
}

async function somePublished(client: DynamoDBClient, limit: number): Promise<Candidate[]> {
  const aggregate = aggregateName(Math.floor(Math.random() * HOT_AGGREGATES));
  const { Items: items = [] } = await client.send(
    new QueryCommand({
      ...{ TableName: TABLE, ScanIndexForward: false },
      KeyConditionExpression: "PK = :pk",
      FilterExpression: "published = :yes",
      ExpressionAttributeValues: { ":pk": { S: KEY_PREFIX + aggregate }, ":yes": { BOOL: true } },
    }),
  );
  return items.slice(0, limit).map(candidateOf);
}

async function ownRecords(client: DynamoDBClient, pk: string, limit: number): Promise<Candidate[]> {
  const ids = (await ownItems(client, pk)).map(({ sk }) => sk?.S ?? "");
  const from = Math.floor(Math.random() * Math.max(1, ids.length - limit + 1));
  return ids.slice(from, from + limit).map((id) => ({ id, eventId: eventIdOf(id) }));
}

function candidateOf({ PK, SK }: Item): Candidate {
  const eventId = SK?.S ?? "";
  return { id: encodeMessageId([PK?.S ?? "", eventId]), eventId };
}
