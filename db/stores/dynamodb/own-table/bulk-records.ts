import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { AppError } from "#domain/errors.ts";
import { type BulkState, isEnded, WORKING_STATES } from "#domain/message/bulk-operation.ts";
import { ROLES } from "#domain/operator.ts";
import type { BulkLease, BulkRow } from "../../port/bulk-records.ts";
import { cancelledBy } from "../connection/cancelled.ts";
import { nowText } from "../items/instant.ts";
import { type OperationDoc, placeOf } from "./operations.ts";
import {
  getRecord,
  keyItem,
  type OwnKey,
  type OwnTable,
  PARTITIONS,
  putIf,
  queryRecords,
  toItem,
  unchanged,
} from "./own-table.ts";
import { serverNowMs } from "./terms.ts";

/** The changing part of a bulk operation; the rest is in its operation's record and its plan. */
export interface BulkDoc {
  outbox: string;
  at: string;
  state: BulkState;
  progress: unknown;
  fence: number;
  runner: string | null;
  /** On the server's clock; null if no runner has it. */
  runnerUntilMs: number | null;
  heartbeatAt: string | null;
  endedAt: string | null;
  /** Numbers of items that are being written; none of them counts until all are written. */
  writing: { from: number; to: number } | null;
}

export const isWorking = (state: BulkState): boolean => WORKING_STATES.includes(state);

const bulkKey = (id: string): OwnKey => ({ pk: PARTITIONS.operation(id), sk: "bulk" });
const openKey = (id: string, { at }: BulkDoc): OwnKey => ({ pk: PARTITIONS.openBulk, sk: placeOf(at, id) });

export const readBulkDoc = (own: OwnTable, id: string) => getRecord<BulkDoc>(own, bulkKey(id));

/** Consistent although it reads two records, because neither the operation nor its plan ever changes. */
export async function readBulkRow(own: OwnTable, id: string, operation: OperationDoc | null): Promise<BulkRow | null> {
  const [record, plan] = await Promise.all([readBulkDoc(own, id), readPlan(own, id)]);
  return record && operation ? toBulkRow(own, operation, { doc: record.doc, plan }) : null;
}

function toBulkRow(
  own: OwnTable,
  { action, actor, role, reason, requestHash, id, outbox, at }: OperationDoc,
  { doc, plan }: { doc: BulkDoc; plan: unknown },
): BulkRow {
  const { state, progress, fence, runner, heartbeatAt, endedAt } = doc;
  const hasRunner = runner !== null && heartbeatAt !== null && hasLiveLease(own, doc);
  return {
    ...{ id, outbox, at, action, reason, requestHash, state, plan, progress, fence, endedAt },
    actor: { name: actor, role: ROLES.find((known) => known === role) ?? "viewer" },
    runner: hasRunner ? { name: runner, heartbeatAt } : null,
  };
}

/** A runner has a live lease. */
export const hasLiveLease = (own: OwnTable, { runnerUntilMs }: BulkDoc): boolean =>
  runnerUntilMs !== null && runnerUntilMs > serverNowMs(own.link);

/** Characters of one record: at most four bytes each, and DynamoDB keeps 400 KB. */
const PLAN_PART = 90_000;
/** A transaction has at most 4 MB. */
const MOST_PLAN_BYTES = 3_500_000;
const PLAN = "plan#";

/** Throws invalid_input for a plan that is too large for one transaction. */
export function planWrites(own: OwnTable, id: string, plan: unknown): TransactWriteItem[] {
  const text = JSON.stringify(plan);
  if (Buffer.byteLength(JSON.stringify(text)) > MOST_PLAN_BYTES)
    throw new AppError(
      "invalid_input",
      "These are too many long ids for DynamoDB: select fewer messages, or a filter.",
    );
  const parts = text.match(new RegExp(`[^]{1,${PLAN_PART}}`, "gu")) ?? [];
  return parts.map((doc, n) =>
    putIf(own, { pk: PARTITIONS.operation(id), sk: `${PLAN}${String(n).padStart(4, "0")}`, doc, v: "1" }, null),
  );
}

async function readPlan(own: OwnTable, id: string): Promise<unknown> {
  const { records } = await queryRecords<string>(own, { pk: PARTITIONS.operation(id), prefix: PLAN, limit: 1000 });
  return JSON.parse(records.map(({ doc }) => doc).join("") || "null");
}

/** The writes by which a bulk operation begins. */
export function firstWrites(own: OwnTable, id: string, { outbox, at }: { outbox: string; at: string }) {
  const doc: BulkDoc = {
    ...{ outbox, at, state: "selecting", progress: null, fence: 0, runner: null, runnerUntilMs: null },
    ...{ heartbeatAt: null, endedAt: null, writing: null },
  };
  return [putBulk(own, id, { doc, was: null }), putIf(own, { ...openKey(id, doc), doc: id, v: "1" }, null)];
}

/** `fence` is a separate attribute, for conditions. */
function putBulk(own: OwnTable, id: string, { doc, was }: { doc: BulkDoc; was: string | null }): TransactWriteItem {
  const item = { ...toItem({ ...bulkKey(id), doc, v: randomUUID() }), fence: { N: String(doc.fence) } };
  return { Put: { TableName: own.name, Item: item, ...unchanged(was) } };
}

/** No other runner has taken the operation, as of the transaction's commit. */
export function stillHeld(own: OwnTable, { id, fence }: BulkLease): TransactWriteItem {
  return {
    ConditionCheck: {
      TableName: own.name,
      Key: keyItem(bulkKey(id)),
      ConditionExpression: "fence = :fence",
      ExpressionAttributeValues: { ":fence": { N: String(fence) } },
    },
  };
}

/** Those that a runner could take are listed, so that a search for them reads no others. */
function openWrites(own: OwnTable, id: string, was: BulkDoc, doc: BulkDoc): TransactWriteItem[] {
  if (isWorking(was.state) === isWorking(doc.state)) return [];
  const key = openKey(id, doc);
  return isWorking(doc.state)
    ? [{ Put: { TableName: own.name, Item: toItem({ ...key, doc: id, v: "1" }) } }]
    : [{ Delete: { TableName: own.name, Key: keyItem(key) } }];
}

export interface BulkChange {
  doc: BulkDoc;
  /** Further writes of the same transaction, without conditions. */
  writes?: TransactWriteItem[];
}

const TRIES = 20;
const TRY_EVERY_MS = 10;

/**
 * Changes a bulk operation as `change` says, and retries after a concurrent change. Null if there is none, or
 * `change` returns null. Throws what a transaction throws.
 */
export async function changeBulk(
  own: OwnTable,
  id: string,
  change: (doc: BulkDoc) => BulkChange | null,
): Promise<BulkDoc | null> {
  for (let tried = 1; ; tried += 1) {
    const record = await readBulkDoc(own, id);
    const changed = record && change(record.doc);
    if (!changed) return null;
    const { doc, writes = [] } = changed;
    try {
      await own.link.transact([
        putBulk(own, id, { doc, was: record.v }),
        ...openWrites(own, id, record.doc, doc),
        ...writes,
      ]);
      return doc;
    } catch (error) {
      if (!cancelledBy(error) || tried === TRIES) throw error;
      await delay(TRY_EVERY_MS * Math.random() * tried);
    }
  }
}

/** The document after a change of state; an ended operation has no runner. */
export function inState(own: OwnTable, doc: BulkDoc, state: BulkState): BulkDoc {
  return isEnded(state)
    ? { ...doc, state, endedAt: nowText(serverNowMs(own.link)), runnerUntilMs: null }
    : { ...doc, state };
}

/** The document with a lease from now on. */
export function leased(own: OwnTable, doc: BulkDoc, leaseMs: number): BulkDoc {
  const nowMs = serverNowMs(own.link);
  return { ...doc, runnerUntilMs: nowMs + leaseMs, heartbeatAt: nowText(nowMs) };
}
