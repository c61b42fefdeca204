import { z } from "zod";
import type { OperationList, operationQuerySchema } from "#contracts/message/operations.ts";
import { nextCursorOf, type Places, parsePlaces } from "../places-cursor.ts";
import { readSources } from "../read-sources.ts";
import type { Runtime, StoreHandle } from "../runtime.ts";
import { operatedStores } from "../stores/operated-stores.ts";
import { listedToOperation } from "./listed-to-operation.ts";
import { mergeOperations, type OperationsRead } from "./merge-operations.ts";

/**
 * Operations over all stores, newest first, without the outcomes of single messages; with `running`, those that have
 * not ended. A store that does not answer is named in `missing`, and goes on where it was; if none answers, the error
 * is thrown. Throws: not_found, invalid_input, unavailable.
 */
export async function listOperations(input: {
  runtime: Runtime;
  query: z.output<typeof operationQuerySchema>;
}): Promise<OperationList> {
  const { outbox = null, cursor, limit, running } = input.query;
  const begins = parsePlaces(cursor, z.uuid());
  const { sources, missing } = await sourcesOf(input.runtime, outbox);
  const page = { limit, running: running === "true" };
  const read = await readSources(sources, begins, {
    read: (source, before) => readOne(source, before, page),
    missing: (name) => `The operations of ${name} could not be read, so they are missing`,
  });
  const { operations, places } = mergeOperations(read.reads, limit);
  const all = [...missing, ...read.missing];
  const next = { places, read: read.reads, kept: read.kept, missing: all, entries: operations.length };
  return {
    operations: operations.flatMap(listedToOperation),
    nextCursor: running === "true" ? null : nextCursorOf(next),
    missing: all,
    asOf: new Date().toISOString(),
  };
}

/** The operations of one store. */
interface Source {
  /** Name for sentences and for a page's link. */
  name: string;
  store: StoreHandle;
  /** Only of these; null: of all. */
  outboxes: readonly string[] | null;
}

async function sourcesOf(runtime: Runtime, outbox: string | null): Promise<{ sources: Source[]; missing: string[] }> {
  if (outbox !== null) {
    const { store, storeSide } = await runtime.outbox(outbox);
    const source = { name: `outbox ${outbox}`, store, outboxes: [outbox] };
    return { sources: storeSide ? [source] : [], missing: [] };
  }
  const { stores, missing } = await operatedStores(runtime);
  const { only: outboxes } = runtime;
  return { sources: stores.map((store) => ({ name: `store ${store.name}`, store, outboxes })), missing };
}

interface Page {
  limit: number;
  running: boolean;
}

/** `before`: null where the list has ended, undefined on the first page. */
async function readOne(
  { name, store, outboxes }: Source,
  before: Places[string] | undefined,
  { limit, running }: Page,
): Promise<OperationsRead> {
  const { bulk } = store.records;
  if (before === null || !bulk) return { name, rows: [], whole: true };
  if (running) {
    const rows = await store.guard.ask(() => bulk.unended({ outboxes, limit }));
    return { name, rows: rows.map((row) => ({ id: row.id, at: row.at, result: null, bulk: row })), whole: true };
  }
  const rows = await store.guard.ask(() => bulk.list({ outboxes, before: before ?? null, limit: limit + 1 }));
  return { name, rows, whole: rows.length <= limit };
}
