import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { ArchiveDoc, DeadDoc } from "#db/stores/dynamodb/items/moved.ts";
import { PARTITIONS } from "#db/stores/dynamodb/own-table/own-table.ts";
import { CLAIM, type ClaimDoc, type DeliveryDoc, type InstanceDoc } from "#db/stores/dynamodb/own-table/relay-docs.ts";
import { decodeMessageId } from "#db/stores/port/message-id.ts";
import type { LedgerRow, StoreEvidence } from "../../judge/evidence.ts";
import { OUTBOX } from "../../world/relay-config.ts";
import { docOf, type Item, ownItems, scanAll } from "./dynamodb-client.ts";
import { KEY_PREFIX, LEDGER_TABLE, TABLE } from "./dynamodb-tables.ts";
import { LEDGER } from "./dynamodb-writer.ts";

/** The event id of an encoded message id, as the sink gets it: the sort key. */
export function eventIdOf(messageId: string): string {
  return decodeMessageId(messageId, 2)[1] ?? messageId;
}

export async function readDynamodbEvidence(client: DynamoDBClient): Promise<StoreEvidence> {
  const docs = async <Doc>(pk: string, prefix?: string) =>
    (await ownItems(client, pk, prefix)).map((item) => ({ sk: item.sk?.S ?? "", doc: docOf<Doc>(item) }));
  const archived = await docs<ArchiveDoc>(PARTITIONS.archive(OUTBOX));
  const deliveries = await docs<DeliveryDoc>(PARTITIONS.deliveries(OUTBOX));
  return {
    ledger: await readLedger(client),
    rows: await readRows(client),
    dead: (await docs<DeadDoc>(PARTITIONS.dead(OUTBOX))).map(({ sk, doc }) => ({
      ...{ id: eventIdOf(sk), by: doc.deadBy, code: doc.lastErrorCode },
      stayed: !doc.moved,
    })),
    archived: new Map(archived.map(({ sk, doc }) => [eventIdOf(sk), { published: doc.stateBefore === "published" }])),
    deliveries: deliveries.filter(({ doc }) => doc.nextAttemptAt !== null).map(({ sk }) => eventIdOf(sk)),
    claims: (await docs<ClaimDoc>(PARTITIONS.relay(OUTBOX), CLAIM)).map(({ sk, doc }) => ({
      ...{ token: sk, owner: doc.owner },
      ids: doc.ids.map(eventIdOf),
    })),
    instances: (await docs<InstanceDoc>(PARTITIONS.instances(OUTBOX))).map(({ sk, doc }) => ({
      ...{ id: sk, state: doc.state, published: doc.published, lateCommits: doc.lateCommits },
      streams: doc.stream !== null,
    })),
  };
}

/** In the order of their time, numbered. */
async function readLedger(client: DynamoDBClient): Promise<LedgerRow[]> {
  const entries = (await scanAll(client, { TableName: LEDGER_TABLE })).filter(({ pk }) => pk?.S?.startsWith(LEDGER));
  const at = (entry: Item) => Number(entry.at?.N);
  return entries
    .sort((left, right) => at(left) - at(right))
    .map((entry, index) => ({
      ...{ id: entry.pk?.S?.slice(LEDGER.length) ?? "", seq: index + 1 },
      ...{ aggregate: entry.aggregate?.S ?? "", n: Number(entry.n?.N), scheduled: entry.scheduled?.BOOL === true },
    }));
}

async function readRows(client: DynamoDBClient): Promise<StoreEvidence["rows"]> {
  const items = await scanAll(client, {
    TableName: TABLE,
    ProjectionExpression: "PK, SK, published",
    FilterExpression: "begins_with(PK, :prefix)",
    ExpressionAttributeValues: { ":prefix": { S: KEY_PREFIX } },
  });
  return new Map(items.map(({ SK, published }) => [SK?.S ?? "", { published: published?.BOOL === true }]));
}
