import { randomUUID } from "node:crypto";
import type { ItemOutcome } from "#domain/message/bulk-operation.ts";
import type { MessageAction } from "#domain/message/message-state.ts";
import type { BulkLease, BulkRecords, BulkRow, ItemRow, NewItem } from "../port/bulk-records.ts";
import type { Store } from "../port/store.ts";
import type { VerbRequest } from "../port/verb.ts";
import { ADA, AN_HOUR_MS, type OperatorDesk, REASON } from "./operator-desk.fixture.ts";

export const PLAN = { selection: { filter: { state: "dead", q: 'zoë 💥 "9007199254740993"' } }, settings: [null, 1] };

export type NewBulk = Parameters<BulkRecords["begin"]>[0];

export const newBulk = (more: Partial<NewBulk> = {}): NewBulk => ({
  id: randomUUID(),
  outbox: "orders",
  action: "retry",
  actor: ADA,
  reason: REASON,
  idempotencyKey: null,
  requestHash: "hash-1",
  plan: PLAN,
  detail: "dead messages",
  ...more,
});

export const itemOf = (seq: number, more: Partial<NewItem> = {}): NewItem => ({
  seq,
  messageId: `message-${seq}`,
  version: "v1",
  eventType: "order.placed",
  aggregateId: null,
  stateBefore: "dead",
  refused: null,
  ...more,
});

export const upTo = (count: number, sign = 1): NewItem[] =>
  Array.from({ length: count }, (_, index) => itemOf((index + 1) * sign));

/** The records of a store, or of another process' view of it. */
export function bulkOf(store: Store): BulkRecords {
  if (!store.records.bulk) throw new Error("The store keeps no bulk operations.");
  return store.records.bulk;
}

/** Begins an operation and takes it. No other operation may be waiting for a runner. */
export async function beginAndTake(
  bulk: BulkRecords,
  more: Partial<NewBulk> = {},
): Promise<{ row: BulkRow; lease: BulkLease }> {
  const operation = newBulk(more);
  await bulk.begin(operation);
  const row = await bulk.take("runner-1", AN_HOUR_MS);
  if (row?.id !== operation.id) throw new Error(`Another operation was taken: ${row?.id}`);
  return { row, lease: { id: row.id, fence: row.fence } };
}

/** Cancels operations that a runner could still take, so that the next test begins with none. */
export async function endAll(bulk: BulkRecords): Promise<void> {
  const listed = await bulk.list({ outboxes: null, before: null, limit: MOST_BEGUN });
  for (const { id, bulk: row } of listed) if (row && row.state !== "cancelled") await endOne(bulk, id);
}

/** More operations than any test leaves open. */
const MOST_BEGUN = 20;

export async function endOne(bulk: BulkRecords, id: string): Promise<void> {
  await bulk.command({
    ...{ id, outbox: "orders", from: ["selecting", "running", "cancelling"], to: "cancelled" },
    ...{ actor: ADA, action: "operation.cancel", reason: REASON },
  });
}

export async function outcomesOf(bulk: BulkRecords, id: string): Promise<Map<number, ItemOutcome | null>> {
  const items = await bulk.items({ id, outcome: null, afterSeq: null, limit: 1000 });
  return new Map(items.map(({ seq, outcome }) => [seq, outcome]));
}

/** Inserts dead messages and an item for each; returns the items in ascending `seq`. */
export async function deadItems(desk: OperatorDesk, lease: BulkLease, count: number): Promise<ItemRow[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.push(await desk.put("dead"));
  const rows = new Map((await desk.outbox.read.find(ids)).map((row) => [row.id, row]));
  const items = ids.map((messageId, index) =>
    itemOf(index + 1, { messageId, version: rows.get(messageId)?.version ?? "" }),
  );
  await bulkOf(desk.store).addItems(lease, items, null);
  return bulkOf(desk.store).next(lease.id, null, count);
}

export const verbOf =
  (operationId: string, action: MessageAction = "retry") =>
  ({ seq, messageId, version }: ItemRow): VerbRequest => ({
    ...{ action, id: messageId, version, actor: ADA, reason: REASON, operationId, dryRun: false },
    item: { seq, outcome: action === "retry" ? "released" : "done" },
  });
