import { PutItemCommand } from "@aws-sdk/client-dynamodb";
import type { NoWrites } from "#domain/diagnosis/facts/store-facts.ts";
import { type StoreTrouble, troubleOf } from "../../port/store-error.ts";
import { asking, nameOf } from "../connection/to-store-error.ts";
import { listInstances } from "../own-table/instances.ts";
import { keyItem, type OwnTable, PARTITIONS } from "../own-table/own-table.ts";
import { readRelayState } from "../own-table/terms.ts";
import type { Room } from "../room.ts";

/** Holds for no item, so that nothing is written. */
const NEVER = "attribute_exists(pk) AND attribute_not_exists(pk)";
/** DynamoDB's own answers: it lacks capacity for the write, or the credentials do not allow it. */
const REFUSALS: readonly (StoreTrouble | null)[] = ["refused", "forbidden"];

/**
 * Why DynamoDB takes no heartbeats; null if it takes them, or if no relay ever sent one. Nothing shows that writes are
 * throttled or forbidden, so a heartbeat is tried, on a condition that cannot hold: it needs the same capacity and the
 * same permission.
 */
export async function whyNoWrites({ own, ref: { name } }: Room): Promise<NoWrites | null> {
  const [instance] = await listInstances(own, name);
  if (instance === undefined) return null;
  const reason = await whyRefused(own, { pk: PARTITIONS.instances(name), sk: instance.sk });
  if (reason === null) return null;
  const { terms, nowMs } = await readRelayState(own, name);
  return { reason, tried: true, leased: terms.some(({ untilMs }) => untilMs > nowMs), everywhere: false };
}

async function whyRefused(own: OwnTable, key: { pk: string; sk: string }): Promise<string | null> {
  const beat = new PutItemCommand({ TableName: own.name, Item: keyItem(key), ConditionExpression: NEVER });
  try {
    await asking(`the table ${own.name}`, () => own.link.client.send(beat).catch(passIfJudged));
    return null;
  } catch (error) {
    if (!REFUSALS.includes(troubleOf(error)) || !(error instanceof Error)) throw error;
    return error.message.replace(/(?:; try again in a moment)?\.$/, "");
  }
}

/** The condition was judged, so the write was taken. */
function passIfJudged(error: unknown): void {
  if (nameOf(error) !== "ConditionalCheckFailedException") throw error;
}
