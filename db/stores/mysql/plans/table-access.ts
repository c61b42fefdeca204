import type { TableName } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { NEVER } from "#db/stores/shared/states/conditions.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import type { TablePart } from "#db/stores/shared/tables/table-part.ts";
import type { Session } from "../connection/session.ts";
import { type Pieces, partPieces, partWhere } from "../tables/index-pieces.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { type Access, bestForCount, bestForList, findAccesses, type Order } from "./find-access.ts";
import { MOST_ROWS, rowsRead } from "./query-cost.ts";
import { type TableIndex, tableIndexes } from "./table-indexes.ts";
import { readTableSize, type TableSize } from "./table-size.ts";

/** Tables up to this size are scanned whole: some 20 ms. */
const SMALL = { rows: 50_000, bytes: 16 * 1024 * 1024 };
/** Up to this many rows are read without a check of their size. */
const FEW_ROWS = 5000;
/** A scan that is still affordable. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Most entries one read takes from an index that holds more than the wanted rows: some 20 ms. */
export const READ_BUDGET = 10_000;

/** How to read a part of the table. */
export type Reading =
  /** Scan it, without a limit: the table is small, or the scan is affordable. */
  | { kind: "whole" }
  /** Through an index, with a limit on the entries. */
  | { kind: "index"; access: Access }
  /** No index serves it, and a scan would take too long. */
  | { kind: "none" };

/** Searches for the rows of a part, narrowest first. */
export function partBases(ref: OutboxRef, part: TablePart): Pieces[] {
  const bases = partPieces(outboxTable(ref.mapping), part);
  // With a store side, a row whose attempts are null may have its count in a delivery row.
  const besides = part === "failed" && ref.storeSide && ref.mapping.columns.attempts?.nullable;
  return besides ? partPieces(outboxTable(ref.mapping), "waiting") : bases;
}

/** Cached as long as catalogs are: a created or dropped index is noticed within a minute. */
const REMEMBERED_MS = 60_000;
interface Memory {
  until: number;
  size: Promise<TableSize> | undefined;
  indexes: Promise<TableIndex[]> | undefined;
  readings: Map<string, Promise<Reading>>;
}
const memories = new WeakMap<Mapped["mapping"], Memory>();

/** An outbox or an inbox. */
export interface Mapped {
  mapping: { table: TableName };
}

function memoryOf(mapping: Mapped["mapping"]): Memory {
  const known = memories.get(mapping);
  if (known && performance.now() < known.until) return known;
  const memory: Memory = {
    until: performance.now() + REMEMBERED_MS,
    size: undefined,
    indexes: undefined,
    readings: new Map(),
  };
  memories.set(mapping, memory);
  return memory;
}

/** Forgets a table's readings, because a statement named an index that is gone. */
export function forgetReadings({ mapping }: Mapped): void {
  memories.delete(mapping);
}

/** The indexes of the table. Cached for a minute. */
export function indexesOf(session: Session, { mapping }: Mapped): Promise<TableIndex[]> {
  const memory = memoryOf(mapping);
  memory.indexes ??= tableIndexes(session, mapping.table);
  memory.indexes.catch(() => {
    memory.indexes = undefined;
  });
  return memory.indexes;
}

/** Rows and bytes of the table, by the server's estimate. Cached for a minute. */
export function sizeOf(session: Session, { mapping }: Mapped): Promise<TableSize> {
  const memory = memoryOf(mapping);
  memory.size ??= readTableSize(session, mapping.table);
  memory.size.catch(() => {
    memory.size = undefined;
  });
  return memory.size;
}

/** True if reading the whole table is as fast as a page must be. */
export async function isSmall(session: Session, ref: Mapped): Promise<boolean> {
  const { rows, bytes } = await sizeOf(session, ref);
  return rows <= FEW_ROWS || (rows <= SMALL.rows && bytes <= SMALL.bytes);
}

/** True if the whole table can be read once for one answer. */
export async function isAffordable(session: Session, ref: Mapped): Promise<boolean> {
  const { rows, bytes } = await sizeOf(session, ref);
  return rows <= FEW_ROWS || (rows <= MOST_ROWS && bytes <= MOST_BYTES);
}

/** True if a query over row `t` of the team's table may have to read a large table. */
export async function wouldScan(
  session: Session,
  ref: Mapped,
  query: Parameters<typeof rowsRead>[1],
): Promise<boolean> {
  if (await isAffordable(session, ref)) return false;
  return (await rowsRead(session, query, async () => (await sizeOf(session, ref)).rows)) > MOST_ROWS;
}

/**
 * How to read the rows of a part without a scan, for a list in this order or for a count. Reads only plans; cached for
 * a minute.
 */
export async function readingOf(
  session: Session,
  ref: OutboxRef,
  part: TablePart,
  { order = deliveryOrder(ref), use = "list" }: { order?: Order; use?: "list" | "count" } = {},
): Promise<Reading> {
  const { readings } = memoryOf(ref.mapping);
  const key = [part, use, ref.storeSide, order.descending, ...order.columns.map(({ name }) => name)].join(" ");
  const known = readings.get(key);
  if (known) return known;
  const made = findReading(session, ref, { part, order, use });
  readings.set(key, made);
  made.catch(() => readings.delete(key));
  return made;
}

/** The order of first deliveries. */
export function deliveryOrder({ mapping }: OutboxRef): Order {
  return { columns: [orderColumn(mapping)], descending: false };
}

/** The rows of a part in every way that an index has for them. `indexes`: those of the table as they are now. */
export async function accessesOf(
  session: Session,
  ref: OutboxRef,
  input: { bases: readonly Pieces[]; order: Order; walk?: boolean; indexes?: readonly TableIndex[] },
): Promise<Access[]> {
  const { bases, order, walk = false } = input;
  const indexes = input.indexes ?? (await indexesOf(session, ref));
  const { rows } = await sizeOf(session, ref);
  return findAccesses(session, outboxTable(ref.mapping), { bases, order, walk, indexes, tableRows: rows });
}

async function findReading(
  session: Session,
  ref: OutboxRef,
  { part, order, use }: { part: TablePart; order: Order; use: "list" | "count" },
): Promise<Reading> {
  if (partWhere(outboxTable(ref.mapping), part) === NEVER || (await isSmall(session, ref))) return { kind: "whole" };
  const walk = part === "published" || part === "all";
  const found = await accessesOf(session, ref, { bases: partBases(ref, part), order, walk });
  const access = use === "list" ? bestForList(found) : bestForCount(found);
  // Entries are read by the key: without one only a scan is possible.
  if (access && ref.mapping.primaryKey.length > 0) return { kind: "index", access };
  return (await isAffordable(session, ref)) ? { kind: "whole" } : { kind: "none" };
}
