import { type BulkState, isEnded } from "#domain/message/bulk-operation.ts";
import type { BulkLease, BulkRecords, BulkRow, ListedOperation } from "../../port/bulk-records.ts";
import { tenAtATime } from "../connection/ten-at-a-time.ts";
import { auditWrites } from "./audit.ts";
import {
  changeBulk,
  firstWrites,
  hasLiveLease,
  inState,
  isWorking,
  leased,
  planWrites,
  readBulkRow,
} from "./bulk-records.ts";
import { insertOperation, type OperationEntry, placeOf, readOperationDoc } from "./operations.ts";
import { type OwnTable, PARTITIONS, queryRecords } from "./own-table.ts";

/** Most operations that a runner reads: more of them can be held at once only by as many runners. */
const LOOKED_AT = 100;

export async function beginBulk(
  own: OwnTable,
  { plan, detail, ...operation }: Parameters<BulkRecords["begin"]>[0],
): ReturnType<BulkRecords["begin"]> {
  const { id: operationId, outbox, actor, reason } = operation;
  const audit = { actor, action: `operation.${operation.action}`, outbox, operationId, reason, detail };
  const { id, at, isNew, requestHash } = await insertOperation(own, operation, (began) => ({
    result: null,
    isBulk: true,
    writes: [...firstWrites(own, operationId, { outbox, at: began }), ...planWrites(own, operationId, plan)],
    audit: { ...audit, outcome: "done" },
  }));
  // Not read back, because a failing read would hide that the operation has begun.
  const { idempotencyKey: _, ...begun } = operation;
  const first = { at, plan, state: "selecting", progress: null, fence: 0, runner: null, endedAt: null } as const;
  return { bulk: isNew ? { ...begun, ...first } : await readBulk(own, id), isNew, requestHash, id };
}

/** Null if there is none with this id, or if it ran within its request. */
export async function readBulk(own: OwnTable, id: string): Promise<BulkRow | null> {
  return readBulkRow(own, id, await readOperationDoc(own, id));
}

/** Newest first. Operations from releases without these lists are missing. */
export async function listOperations(
  own: OwnTable,
  { outboxes, before, limit }: Parameters<BulkRecords["list"]>[0],
): Promise<ListedOperation[]> {
  const place = before && placeOf(before.at, before.id);
  const entries = await tenAtATime(outboxes ? [...new Set(outboxes)] : [null], async (outbox) => {
    const query = { pk: PARTITIONS.operations(outbox), before: place, newestFirst: true, limit };
    return (await queryRecords<OperationEntry>(own, query)).records;
  });
  const newest = entries.flat().toSorted((one, other) => (one.sk < other.sk ? 1 : -1));
  const listed = await tenAtATime(newest.slice(0, limit), async ({ doc: { id, isBulk } }) => {
    const operation = await readOperationDoc(own, id);
    if (!operation) return [];
    const bulk = isBulk ? await readBulkRow(own, id, operation) : null;
    return [{ id, at: operation.at, result: operation.result, bulk }];
  });
  return listed.flat();
}

const LISTED_AT_ONCE = 200;

/** Newest first: those that a runner could take, and others among the newest 200. */
export async function listUnended(
  own: OwnTable,
  { outboxes, limit }: Parameters<BulkRecords["unended"]>[0],
): Promise<BulkRow[]> {
  const { records } = await queryRecords<string>(own, { pk: PARTITIONS.openBulk, limit: LOOKED_AT });
  const working = await tenAtATime(records, ({ doc: id }) => readBulk(own, id));
  const newest = await listOperations(own, { outboxes, before: null, limit: LISTED_AT_ONCE });
  const all = [...working, ...newest.map(({ bulk }) => bulk)].flatMap((row) => row ?? []);
  const open = all.filter(({ state, outbox: of }) => !isEnded(state) && (outboxes === null || outboxes.includes(of)));
  const found = [...new Map(open.map((row) => [row.id, row])).values()];
  return found.toSorted((one, other) => (one.at < other.at ? 1 : -1)).slice(0, limit);
}

/** Race: two runners find the same operation; the second finds the lease of the first. */
export async function takeBulk(own: OwnTable, runner: string, leaseMs: number): Promise<BulkRow | null> {
  const { records } = await queryRecords<string>(own, { pk: PARTITIONS.openBulk, limit: LOOKED_AT });
  for (const { doc: id } of records) {
    const taken = await changeBulk(own, id, (doc) =>
      hasLiveLease(own, doc) || !isWorking(doc.state)
        ? null
        : { doc: leased(own, { ...doc, runner, fence: doc.fence + 1 }, leaseMs) },
    );
    const row = taken && (await readBulk(own, id));
    if (row) return { ...row, fence: taken.fence };
  }
  return null;
}

export async function saveBulk(
  own: OwnTable,
  lease: BulkLease,
  { leaseMs, change, progress }: Parameters<BulkRecords["save"]>[1],
): Promise<BulkState | null> {
  const saved = await changeBulk(own, lease.id, (doc) => {
    if (doc.fence !== lease.fence) return null;
    const state = change && doc.state === change.from ? change.to : doc.state;
    const kept = progress === undefined ? doc : { ...doc, progress };
    return { doc: inState(own, leased(own, kept, leaseMs), state) };
  });
  return saved?.state ?? null;
}

export async function releaseBulk(own: OwnTable, lease: BulkLease): Promise<void> {
  await changeBulk(own, lease.id, (doc) =>
    doc.fence === lease.fence ? { doc: { ...doc, runnerUntilMs: null } } : null,
  );
}

export async function commandBulk(own: OwnTable, input: Parameters<BulkRecords["command"]>[0]): Promise<boolean> {
  const { id, actor, action, outbox, reason, from, to } = input;
  const audit = { actor, action, outbox, operationId: id, outcome: "done", reason, detail: null } as const;
  const changed = await changeBulk(own, id, (doc) =>
    from.includes(doc.state) ? { doc: { ...doc, state: to }, writes: auditWrites(own, audit) } : null,
  );
  return changed !== null;
}
