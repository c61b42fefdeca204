import { setTimeout as delay } from "node:timers/promises";
import { BatchGetItemCommand } from "@aws-sdk/client-dynamodb";
import type { Item } from "../items/item.ts";
import type { Link } from "./link.ts";

/** DynamoDB's limit for one request. */
const AT_ONCE = 100;
const FIRST_WAIT_MS = 50;
/** Together with the pauses between them about three seconds. */
const TRIES = 7;

export interface BatchGetInput {
  table: string;
  keys: readonly Item[];
  /** Gets the capacity units of each answer. */
  onCost?: (units: number) => void;
  firstWaitMs?: number;
}

/**
 * The items of these keys that are there; consistent. An answer has at most 16 MB, and fewer items of a table that is
 * throttled: the rest is asked for again, after a growing pause where nothing came. Throws ThrottlingException if
 * nothing comes for some three seconds.
 */
export async function batchGet({ client }: Pick<Link, "client">, input: BatchGetInput): Promise<Item[]> {
  const found: Item[] = [];
  for (let from = 0; from < input.keys.length; from += AT_ONCE) {
    const some = { ...input, keys: input.keys.slice(from, from + AT_ONCE) };
    found.push(...(await getSome(client, some)));
  }
  return found;
}

async function getSome(client: Link["client"], input: BatchGetInput): Promise<Item[]> {
  const { table, keys, onCost, firstWaitMs = FIRST_WAIT_MS } = input;
  const found: Item[] = [];
  let wanted = [...keys];
  for (let empty = 0; wanted.length > 0; ) {
    const { Responses, UnprocessedKeys, ConsumedCapacity } = await client.send(
      new BatchGetItemCommand({
        RequestItems: { [table]: { Keys: wanted, ConsistentRead: true } },
        ReturnConsumedCapacity: "TOTAL",
      }),
    );
    onCost?.((ConsumedCapacity ?? []).reduce((sum, { CapacityUnits: units = 0 }) => sum + units, 0));
    found.push(...(Responses?.[table] ?? []));
    const left = UnprocessedKeys?.[table]?.Keys ?? [];
    if (left.length > 0 && left.length === wanted.length) {
      empty += 1;
      if (empty === TRIES) throw throttled();
      await delay(firstWaitMs * 2 ** (empty - 1) * (0.5 + Math.random() / 2));
    } else empty = 0;
    wanted = left;
  }
  return found;
}

function throttled(): Error {
  const error = new Error("DynamoDB returned none of the items that were asked for.");
  error.name = "ThrottlingException";
  return error;
}
