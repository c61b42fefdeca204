import type { z } from "zod";
import {
  type Operation,
  type OperationList,
  type operationQuerySchema,
  operationSchema,
} from "#contracts/message/operations.ts";
import type { ListedOperation } from "#db/stores/port/bulk-records.ts";
import { AppError } from "#domain/errors.ts";
import type { Runtime, StoreHandle } from "../runtime.ts";
import { bulkToOperation } from "./bulk/bulk-to-operation.ts";
import { storesWithRecords } from "./find-operation.ts";

/**
 * Operations over all stores, newest first, without the outcomes of single messages; with `running`, those that have
 * not ended. A store that does not answer is left out, unless none answers. Throws: invalid_input, unavailable.
 */
export async function listOperations(input: {
  runtime: Runtime;
  query: z.output<typeof operationQuerySchema>;
}): Promise<OperationList> {
  const { outbox = null, cursor, limit, running } = input.query;
  const before = cursor === undefined ? null : parseCursor(cursor);
  const places = await placesOf(input.runtime, outbox);
  const asked = await Promise.allSettled(
    places.map(({ store, outbox: of }) => pageOf(store, { outbox: of, before, limit }, running === "true")),
  );
  const answered = asked.filter((one) => one.status === "fulfilled");
  const failed = asked.find((one) => one.status === "rejected");
  if (failed && answered.length === 0) throw failed.reason;
  const listed = answered.flatMap(({ value }) => value).sort(newestFirst);
  const page = listed.slice(0, limit);
  const last = running !== "true" && listed.length >= limit ? page.at(-1) : undefined;
  return {
    operations: page.flatMap(toOperation),
    nextCursor: last ? `${last.at}~${last.id}` : null,
    asOf: new Date().toISOString(),
  };
}

const CURSOR = /^(\d{4}-\d\d-\d\dT[\d:.]{8,15}Z)~([0-9a-f-]{36})$/;

function parseCursor(cursor: string): { at: string; id: string } {
  const [, at, id] = CURSOR.exec(cursor) ?? [];
  if (at === undefined || id === undefined) throw new AppError("invalid_input", "The cursor is damaged.");
  return { at, id };
}

/** The stores to read, or single outboxes of them. */
async function placesOf(
  runtime: Runtime,
  outbox: string | null,
): Promise<{ store: StoreHandle; outbox: string | null }[]> {
  if (outbox === null && runtime.only === null)
    return (await storesWithRecords(runtime)).map((store) => ({ store, outbox: null }));
  const handles = outbox === null ? (await runtime.tables()).outboxes : [await runtime.outbox(outbox)];
  return handles.filter(({ storeSide }) => storeSide).map(({ store, name }) => ({ store, outbox: name }));
}

async function pageOf(
  store: StoreHandle,
  input: { outbox: string | null; before: { at: string; id: string } | null; limit: number },
  running: boolean,
): Promise<ListedOperation[]> {
  const { bulk } = store.records;
  if (bulk && running) {
    const rows = await store.guard.ask(() => bulk.unended(input));
    return rows.map((row) => ({ id: row.id, at: row.at, result: null, bulk: row }));
  }
  return bulk ? store.guard.ask(() => bulk.list(input)) : [];
}

function newestFirst(one: ListedOperation, other: ListedOperation): number {
  return one.at === other.at ? (one.id < other.id ? 1 : -1) : one.at < other.at ? 1 : -1;
}

/** One that an older version of this program cut short has no record. */
function toOperation({ result, bulk }: ListedOperation): Operation[] {
  if (bulk) return [bulkToOperation(bulk)];
  const record = operationSchema.safeParse(result);
  return record.success ? [{ ...record.data, outcomes: [] }] : [];
}
