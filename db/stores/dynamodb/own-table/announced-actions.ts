import { randomInt, randomUUID } from "node:crypto";
import { DeleteItemCommand, type TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { tenAtATime } from "../connection/ten-at-a-time.ts";
import { nameOf } from "../connection/to-store-error.ts";
import {
  allRecords,
  keyItem,
  type OwnKey,
  type OwnTable,
  PARTITIONS,
  putRecord,
  queryRecords,
  toItem,
} from "./own-table.ts";
import { serverNowMs } from "./terms.ts";

/** Longer than any action takes between its announcement and its transaction. */
const ANNOUNCED_MS = 10_000;
/** Number of counters; each action changes one. With a single counter, actions would wait for each other. */
const COUNTERS = 8;
const MARKER = "marker#";
const COUNTER = "last#";

interface MarkerDoc {
  id: string;
  untilMs: number;
}

/** Actions of operators on the messages of an outbox. */
export interface AnnouncedActions {
  /** Changes with every action that was carried out. */
  digest: string;
  /** Ids of messages that may be changed at any moment. */
  announced: ReadonlySet<string>;
}

/**
 * Announces an action on a message. A relay reads announcements after it has written its claim, and an action reads
 * claims after its announcement, so at least one of them sees the other.
 */
export async function announceAction(own: OwnTable, outbox: string, id: string): Promise<OwnKey> {
  const key = { pk: PARTITIONS.acting(outbox), sk: `${MARKER}${randomUUID()}` };
  const doc: MarkerDoc = { id, untilMs: serverNowMs(own.link) + ANNOUNCED_MS };
  await putRecord(own, { ...key, doc, v: "1" });
  return key;
}

/** The writes of an announced action. They fail once a relay has withdrawn the announcement as expired. */
export function carryOutAction(own: OwnTable, outbox: string, announced: OwnKey): TransactWriteItem[] {
  return [
    { Delete: { TableName: own.name, Key: keyItem(announced), ConditionExpression: "attribute_exists(pk)" } },
    countAction(own, outbox),
  ];
}

/** Withdraws an announcement; true if it still existed. */
export async function withdrawAction(own: OwnTable, announced: OwnKey): Promise<boolean> {
  const ConditionExpression = "attribute_exists(pk)";
  try {
    await own.link.client.send(
      new DeleteItemCommand({ TableName: own.name, Key: keyItem(announced), ConditionExpression }),
    );
    return true;
  } catch (error) {
    if (nameOf(error) === "ConditionalCheckFailedException") return false;
    throw error;
  }
}

/** Changes with every action that was carried out; consistent. */
export async function readActionCount(own: OwnTable, outbox: string): Promise<string> {
  const query = { pk: PARTITIONS.acting(outbox), prefix: COUNTER, limit: COUNTERS };
  return digestOf((await queryRecords<null>(own, query)).records);
}

/** The write that makes readers read again, because messages have moved. */
export function countAction(own: OwnTable, outbox: string): TransactWriteItem {
  const counter = { pk: PARTITIONS.acting(outbox), sk: `${COUNTER}${randomInt(COUNTERS)}` };
  return { Put: { TableName: own.name, Item: toItem({ ...counter, doc: null, v: randomUUID() }) } };
}

function digestOf(counters: readonly { sk: string; v: string }[]): string {
  return counters.map(({ sk, v }) => `${sk}=${v}`).join(" ");
}

/** Reads consistently, and withdraws announcements that have expired. */
export async function readAnnouncedActions(own: OwnTable, outbox: string): Promise<AnnouncedActions> {
  const pk = PARTITIONS.acting(outbox);
  for (;;) {
    const records = await allRecords<MarkerDoc | null>(own, { pk });
    const markers = records.filter(({ sk }) => sk.startsWith(MARKER));
    const late = markers.filter(({ doc }) => (doc?.untilMs ?? 0) <= serverNowMs(own.link));
    const withdrawn = await tenAtATime(late, ({ sk }) => withdrawAction(own, { pk, sk }));
    // The action has succeeded in the meantime, so the counters must be read again.
    if (withdrawn.includes(false)) continue;
    const others = records.filter(({ sk }) => !sk.startsWith(MARKER));
    return {
      digest: digestOf(others),
      announced: new Set(markers.filter((one) => !late.includes(one)).flatMap(({ doc }) => doc?.id ?? [])),
    };
  }
}
