import { randomUUID } from "node:crypto";
import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import type { AuditRecord } from "../../port/audit.ts";
import type { AuditedChange, NewOperation, StoredOperation } from "../../port/operations.ts";
import { cancelledBy } from "../connection/cancelled.ts";
import { nowText } from "../items/instant.ts";
import { transactAudited } from "./audit.ts";
import { getRecord, type OwnKey, type OwnTable, PARTITIONS, putIf, putRecord, queryRecords } from "./own-table.ts";
import { serverNow, serverNowMs } from "./terms.ts";

export interface OperationDoc {
  id: string;
  outbox: string;
  at: string;
  action: string;
  actor: string;
  role: string;
  reason: string;
  requestHash: string;
  result: unknown;
}

/** Of the lists of operations. */
export interface OperationEntry {
  id: string;
  isBulk: boolean;
}

/** Sorts operations by their beginning. */
export const placeOf = (at: string, id: string) => `${at}#${id}`;

/** Of one operation; it acts on at most some thousand messages. */
const MOST_CHANGES = 1_000_000;

const keyOf = (id: string): OwnKey => ({ pk: PARTITIONS.operation(id), sk: "operation" });
const settledKey = (id: string): OwnKey => ({ pk: PARTITIONS.operation(id), sk: "settled" });

/**
 * Records the start of an operation with the result `first(at)`. If this actor has already used the idempotency key,
 * returns the earlier operation instead. Race: of two with one key, the second's condition does not hold.
 */
export async function beginOperation(
  own: OwnTable,
  operation: NewOperation,
  first: (at: string) => unknown,
): Promise<StoredOperation> {
  return insertOperation(own, operation, (at) => ({ result: first(at), isBulk: false, writes: [] }));
}

interface Beginning {
  result: unknown;
  isBulk: boolean;
  /** Done in the same transaction. */
  writes: TransactWriteItem[];
  audit?: AuditRecord;
}

/** As `beginOperation`, together with further writes. */
export async function insertOperation(
  own: OwnTable,
  { actor, idempotencyKey, ...operation }: NewOperation,
  first: (at: string) => Beginning,
): Promise<StoredOperation> {
  const byKey = idempotencyKey === null ? null : { pk: PARTITIONS.idempotencyKey(actor.name), sk: idempotencyKey };
  const earlier = byKey && (await getRecord<string>(own, byKey));
  if (earlier) return requireOperation(own, earlier.doc);
  const at = await serverNow(own);
  const { result, isBulk, writes: more, audit } = first(at);
  const doc: OperationDoc = { ...operation, actor: actor.name, role: actor.role, at, result };
  const writes = [putIf(own, { ...keyOf(operation.id), doc, v: randomUUID() }, null)];
  if (byKey) writes.push(putIf(own, { ...byKey, doc: operation.id, v: operation.id }, null));
  const entry: OperationEntry = { id: operation.id, isBulk };
  for (const outbox of [null, operation.outbox]) {
    const key = { pk: PARTITIONS.operations(outbox), sk: placeOf(at, operation.id) };
    writes.push(putIf(own, { ...key, doc: entry, v: "1" }, null));
  }
  try {
    if (audit) await transactAudited(own, [...writes, ...more], audit);
    else await own.link.transact([...writes, ...more]);
  } catch (error) {
    const cancelled = cancelledBy(error);
    if (!byKey || !cancelled) throw error;
    if (!cancelled.conflict && !cancelled.failed.includes(1)) throw error;
    const winner = await winnerOf(own, byKey);
    if (winner === null) throw error;
    return requireOperation(own, winner);
  }
  return { ...storedOf(own, doc), isNew: true };
}

const WINNER_LOOKS = 50;
const LOOK_EVERY_MS = 20;

/** Id of the operation that has the key, once the transaction that conflicts with ours is over. */
async function winnerOf(own: OwnTable, byKey: OwnKey): Promise<string | null> {
  for (let look = 0; look < WINNER_LOOKS; look += 1) {
    const found = await getRecord<string>(own, byKey);
    if (found) return found.doc;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return null;
}

async function requireOperation(own: OwnTable, id: string): Promise<StoredOperation> {
  const stored = await readOperation(own, id);
  if (!stored) throw new Error("An operation vanished between two requests.");
  return stored;
}

export async function readOperation(own: OwnTable, id: string): Promise<StoredOperation | null> {
  const record = await getRecord<OperationDoc>(own, keyOf(id));
  return record && storedOf(own, record.doc);
}

/** Null if the actor has not used the key. */
export async function readOperationByKey(
  own: OwnTable,
  { actor, idempotencyKey }: { actor: string; idempotencyKey: string },
): Promise<StoredOperation | null> {
  const used = await getRecord<string>(own, { pk: PARTITIONS.idempotencyKey(actor), sk: idempotencyKey });
  return used && readOperation(own, used.doc);
}

/** The record itself; null if there is none. */
export async function readOperationDoc(own: OwnTable, id: string): Promise<OperationDoc | null> {
  return (await getRecord<OperationDoc>(own, keyOf(id)))?.doc ?? null;
}

export async function finishOperation(own: OwnTable, id: string, result: unknown): Promise<void> {
  const record = await getRecord<OperationDoc>(own, keyOf(id));
  if (record) await putRecord(own, { ...keyOf(id), doc: { ...record.doc, result }, v: randomUUID() });
}

/** The writes that record a change to a message in its operation; they fail once the operation is settled. */
export function changeWrites(own: OwnTable, operationId: string, change: AuditedChange): TransactWriteItem[] {
  const key = { pk: PARTITIONS.operation(operationId), sk: `change#${nowText(serverNowMs(own.link))}#${randomUUID()}` };
  return [putIf(own, { ...key, doc: change, v: "1" }, null), notSettled(own, operationId)];
}

function notSettled(own: OwnTable, id: string): TransactWriteItem {
  const { pk, sk } = settledKey(id);
  return {
    ConditionCheck: {
      TableName: own.name,
      Key: { pk: { S: pk }, sk: { S: sk } },
      ConditionExpression: "attribute_not_exists(pk)",
    },
  };
}

export async function readChanges(own: OwnTable, id: string): Promise<AuditedChange[]> {
  const query = { pk: PARTITIONS.operation(id), prefix: "change#", limit: MOST_CHANGES };
  const { records } = await queryRecords<AuditedChange>(own, query);
  return records.map(({ doc }) => doc);
}

/** The mark blocks further changes of the operation, so the read that follows finds all of them. */
export async function settleOperation(
  own: OwnTable,
  { id, finish }: { id: string; finish: (changes: AuditedChange[]) => unknown },
): Promise<void> {
  await putRecord(own, { ...settledKey(id), doc: await serverNow(own), v: "1" });
  await finishOperation(own, id, finish(await readChanges(own, id)));
}

function storedOf(own: OwnTable, { id, outbox, at, requestHash, result }: OperationDoc): StoredOperation {
  const ageSeconds = Math.max(0, (serverNowMs(own.link) - Date.parse(at)) / 1000);
  return { id, outbox, at, requestHash, result, ageSeconds, isNew: false };
}
