import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { GetItemCommand, type TransactWriteItem, TransactWriteItemsCommand } from "@aws-sdk/client-dynamodb";
import type { Batch, WriterSession } from "../writer-session.ts";
import { type Item, openClient } from "./dynamodb-client.ts";
import { KEY_PREFIX, LEDGER_TABLE, TABLE } from "./dynamodb-tables.ts";

/** Of the aggregate's item and of an entry of the ledger. */
const AGGREGATE = "aggregate#";
export const LEDGER = "ledger#";

/** A condition that never holds. */
const REFUSED: TransactWriteItem = {
  ConditionCheck: { TableName: LEDGER_TABLE, Key: { pk: { S: "never" } }, ConditionExpression: "attribute_exists(pk)" },
};
const NUMBER_DIGITS = 8;

/**
 * Reads the aggregates' versions, and writes all in one transaction that requires them unchanged. A transaction that is
 * held open gets its keys before the pause, so that its items become visible long after later keys of other aggregates.
 */
export function openDynamodbWriter(endpoint: string): WriterSession {
  const client = openClient(endpoint);
  const versionOf = async (aggregate: string) => {
    const Key = { pk: { S: AGGREGATE + aggregate } };
    const { Item: item } = await client.send(
      new GetItemCommand({ TableName: LEDGER_TABLE, Key, ConsistentRead: true }),
    );
    return Number(item?.version?.N ?? 0);
  };
  return {
    write: async ({ batches, holdMs, rollBack }) => {
      const writes: TransactWriteItem[] = rollBack ? [REFUSED] : [];
      for (const batch of batches) writes.push(...writesOf(batch, await versionOf(batch.aggregate)));
      if (holdMs > 0) await delay(holdMs);
      try {
        await client.send(new TransactWriteItemsCommand({ TransactItems: writes }));
        return true;
      } catch (error) {
        if (error instanceof Error && error.name === "TransactionCanceledException") return false;
        throw error;
      }
    },
    close: async () => client.destroy(),
  };
}

function writesOf({ aggregate, count, scheduledMs, pad }: Batch, before: number): TransactWriteItem[] {
  const nowMs = Date.now();
  const events = Array.from({ length: count }, (_, index) => {
    const n = before + index + 1;
    const number = String(n).padStart(NUMBER_DIGITS, "0");
    const id = `EVENT#${new Date(nowMs).toISOString()}#${number}#${randomUUID()}`;
    const payload = JSON.stringify({ aggregate, n, pad: "x".repeat(pad) });
    const due: Item = scheduledMs === null ? {} : { available_at: { S: new Date(nowMs + scheduledMs).toISOString() } };
    const item = {
      ...{
        PK: { S: KEY_PREFIX + aggregate },
        SK: { S: id },
        event_type: { S: "order.changed" },
        payload: { S: payload },
      },
      ...{
        published: { BOOL: false },
        unpublished: { S: "yes" },
        created_at: { S: new Date(nowMs).toISOString() },
        ...due,
      },
    };
    const entry = {
      ...{ pk: { S: LEDGER + id }, at: { N: String(nowMs) }, aggregate: { S: aggregate }, n: { N: String(n) } },
      scheduled: { BOOL: scheduledMs !== null },
    };
    return [{ Put: { TableName: TABLE, Item: item } }, { Put: { TableName: LEDGER_TABLE, Item: entry } }];
  });
  return [raiseVersion(aggregate, before, count), ...events.flat()];
}

function raiseVersion(aggregate: string, before: number, by: number): TransactWriteItem {
  return {
    Update: {
      TableName: LEDGER_TABLE,
      Key: { pk: { S: AGGREGATE + aggregate } },
      UpdateExpression: "SET version = :after",
      ConditionExpression: before === 0 ? "attribute_not_exists(pk)" : "version = :before",
      ExpressionAttributeValues: {
        ":after": { N: String(before + by) },
        ...(before === 0 ? {} : { ":before": { N: String(before) } }),
      },
    },
  };
}
