import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { RETRY_OUTCOMES } from "#domain/message/bulk-operation.ts";
import type { BulkLease, ItemResult, NewItem } from "../../port/bulk-records.ts";
import { cancelledBy } from "../connection/cancelled.ts";
import { nowText } from "../items/instant.ts";
import { transactPatiently } from "../relay/patient-transaction.ts";
import { type BulkDoc, changeBulk, readBulkDoc, stillHeld } from "./bulk-records.ts";
import {
  countWrite,
  type ItemDoc,
  itemKey,
  type Move,
  moveWrites,
  type Place,
  readItems,
  seqKey,
} from "./operation-items.ts";
import { keyItem, type OwnTable, PARTITIONS, queryRecords, toItem } from "./own-table.ts";
import { serverNowMs } from "./terms.ts";

/** A transaction has at most 100 parts; a move has two. */
const PUTS_AT_ONCE = 90;
const MOVES_AT_ONCE = 45;

/**
 * Adds items and saves the progress. A large page takes several transactions, each under the runner's fence. Readers
 * ignore its items until the last transaction, which saves the progress. The next page first removes items of an
 * interrupted one.
 */
export async function addItems(
  own: OwnTable,
  lease: BulkLease,
  { items, progress }: { items: readonly NewItem[]; progress: unknown },
): Promise<boolean> {
  if (!(await dropUnfinished(own, lease))) return false;
  const seqs = items.map(({ seq }) => seq);
  const rest = items.length % PUTS_AT_ONCE;
  const last = rest === 0 ? items.slice(-PUTS_AT_ONCE) : items.slice(-rest);
  const first = items.slice(0, items.length - last.length);
  if (first.length > 0) {
    const writing = { from: Math.min(...seqs), to: Math.max(...seqs) };
    if (!(await changeHeld(own, lease, (doc) => ({ ...doc, writing })))) return false;
    for (let from = 0; from < first.length; from += PUTS_AT_ONCE) {
      const puts = first.slice(from, from + PUTS_AT_ONCE).map((item) => putItem(own, lease.id, item));
      if (!(await transactHeld(own, lease, puts))) return false;
    }
  }
  const refused = items.filter((item) => item.refused !== null).length;
  const counted = items.length === 0 ? [] : [countWrite(own, lease.id, { left: items.length - refused, refused })];
  const writes = [...last.map((item) => putItem(own, lease.id, item)), ...counted];
  return changeHeld(own, lease, (doc) => ({ ...doc, progress, writing: null }), writes);
}

function putItem(own: OwnTable, id: string, { seq, refused, ...item }: NewItem): TransactWriteItem {
  const settledAt = refused ? nowText(serverNowMs(own.link)) : null;
  const told = { code: refused?.code ?? null, message: refused?.message ?? null, actedAt: null, settledAt };
  const doc: ItemDoc = { ...item, ...told };
  const record = toItem({ ...itemKey(id, refused ? "refused" : "left", seq), doc, v: "1" });
  return { Put: { TableName: own.name, Item: record } };
}

/** False if another runner has the operation. */
async function dropUnfinished(own: OwnTable, lease: BulkLease): Promise<boolean> {
  const record = await readBulkDoc(own, lease.id);
  if (record?.doc.fence !== lease.fence) return false;
  const { writing } = record.doc;
  if (!writing) return true;
  for (const place of ["left", "refused"] as const) {
    const limit = writing.to - writing.from + 1;
    const query = { pk: PARTITIONS.items(lease.id, place), after: seqKey(writing.from - 1), limit };
    const { records } = await queryRecords<ItemDoc>(own, query);
    const keys = records.map(({ sk }) => sk).filter((sk) => sk <= seqKey(writing.to));
    for (let from = 0; from < keys.length; from += PUTS_AT_ONCE) {
      const deletes = keys.slice(from, from + PUTS_AT_ONCE).map((sk) => ({
        Delete: { TableName: own.name, Key: keyItem({ pk: PARTITIONS.items(lease.id, place), sk }) },
      }));
      if (!(await transactHeld(own, lease, deletes))) return false;
    }
  }
  return changeHeld(own, lease, (doc) => ({ ...doc, writing: null }));
}

async function changeHeld(
  own: OwnTable,
  lease: BulkLease,
  change: (doc: BulkDoc) => BulkDoc,
  writes: TransactWriteItem[] = [],
): Promise<boolean> {
  const changed = await changeBulk(own, lease.id, (doc) =>
    doc.fence === lease.fence ? { doc: change(doc), writes } : null,
  );
  return changed !== null;
}

/** False if another runner has the operation. `writes` have no conditions. */
async function transactHeld(own: OwnTable, lease: BulkLease, writes: TransactWriteItem[]): Promise<boolean> {
  try {
    await transactPatiently(own.link, [stillHeld(own, lease), ...writes]);
    return true;
  } catch (error) {
    if (cancelledBy(error)?.failed.includes(0)) return false;
    throw error;
  }
}

const TRIES = 20;

export async function settleItems(own: OwnTable, lease: BulkLease, results: readonly ItemResult[]): Promise<boolean> {
  if ((await readBulkDoc(own, lease.id))?.doc.fence !== lease.fence) return false;
  for (let from = 0; from < results.length; from += MOVES_AT_ONCE)
    if (!(await settleSome(own, lease, results.slice(from, from + MOVES_AT_ONCE)))) return false;
  return true;
}

/** Reads the items again if one of them has got an outcome in the meantime. */
async function settleSome(own: OwnTable, lease: BulkLease, results: readonly ItemResult[]): Promise<boolean> {
  for (let tried = 1; ; tried += 1) {
    const moves = [
      ...(await movesFrom(own, lease, "left", results)),
      ...(await movesFrom(own, lease, "released", results)),
    ];
    if (moves.length === 0) return true;
    try {
      await moveAll(own, lease, moves);
      return true;
    } catch (error) {
      const cancelled = cancelledBy(error);
      if (cancelled?.failed.includes(0)) return false;
      if (!cancelled || tried === TRIES) throw error;
    }
  }
}

async function movesFrom(
  own: OwnTable,
  { id }: BulkLease,
  from: Place,
  results: readonly ItemResult[],
): Promise<Move[]> {
  const wanted = results.filter(({ outcome }) => RETRY_OUTCOMES.includes(outcome) === (from === "released"));
  const byKey = new Map(wanted.map((result) => [seqKey(result.seq), result]));
  const settledAt = nowText(serverNowMs(own.link));
  const records = await readItems(own, { id, place: from, seqs: wanted.map(({ seq }) => seq) });
  return records.flatMap((record) => {
    const result = byKey.get(record.sk);
    if (!result) return [];
    const message = result.message ?? record.doc.message;
    return [{ id, record, from, to: result.outcome, doc: { ...record.doc, code: result.code, message, settledAt } }];
  });
}

function moveAll(own: OwnTable, lease: BulkLease, moves: readonly Move[]): Promise<void> {
  const by: Partial<Record<Place, number>> = {};
  for (const { from, to } of moves) {
    by[from] = (by[from] ?? 0) - 1;
    by[to] = (by[to] ?? 0) + 1;
  }
  const writes = moves.flatMap((move) => moveWrites(own, move));
  return transactPatiently(own.link, [stillHeld(own, lease), ...writes, countWrite(own, lease.id, by)]);
}

/** Cancels at most `limit` items without an outcome; returns how many. */
export async function cancelItems(own: OwnTable, lease: BulkLease, limit: number): Promise<number> {
  if (!(await dropUnfinished(own, lease))) return 0;
  let cancelled = 0;
  for (let tried = 1; cancelled < limit; ) {
    const most = Math.min(MOVES_AT_ONCE, limit - cancelled);
    const { records } = await queryRecords<ItemDoc>(own, { pk: PARTITIONS.items(lease.id, "left"), limit: most });
    if (records.length === 0) break;
    const settledAt = nowText(serverNowMs(own.link));
    const moves = records.slice(0, most).map(
      (record): Move => ({
        ...{ id: lease.id, record, from: "left", to: "cancelled", doc: { ...record.doc, settledAt } },
      }),
    );
    try {
      await moveAll(own, lease, moves);
      cancelled += moves.length;
    } catch (error) {
      const failed = cancelledBy(error);
      if (failed?.failed.includes(0)) break;
      tried += 1;
      if (!failed || tried > TRIES) throw error;
    }
  }
  return cancelled;
}
