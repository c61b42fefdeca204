import type { PoolClient } from "pg";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import {
  columnSql,
  failedPredicate,
  nativeDeadPredicate,
  notPublishedPredicate,
  orderColumn,
  publishedPredicate,
  quoteTable,
  unknownPredicate,
  waitingPredicate,
} from "../tables/mapping-sql.ts";
import { type Access, type AccessQuery, findAccess } from "./find-access.ts";
import { wouldScan } from "./query-cost.ts";

/** Tables up to this size are read whole, in one pass: some 20,000 messages, some 20 ms. */
const SMALL_TABLE_BYTES = 16 * 1024 * 1024;
/** Entries of an index that one read looks at where it does not hold exactly what is wanted: some 20 ms. */
export const READ_BUDGET = 10_000;

/** Rows of a state, as the table alone tells it: conditions over row `t` that an index may serve, narrowest first. */
export type TablePart = "waiting" | "failed" | "dead" | "unpublished" | "unknown" | "published" | "all";

/** How a part of the table is read. */
export type Reading =
  /** The table is small, or a scan is bearable: no limit is needed. */
  | { kind: "whole" }
  /** Through an index, at most so many entries. */
  | { kind: "index"; access: Access }
  /** Nothing serves it, and a scan would take too long. */
  | { kind: "none" };

export function partBases(ref: OutboxRef, part: TablePart): string[] {
  const { mapping } = ref;
  const unpublished = notPublishedPredicate(mapping, "t");
  const waiting = waitingPredicate(mapping, "t");
  switch (part) {
    case "waiting":
      return [waiting, unpublished];
    case "failed":
      return [...failedBase(ref), waiting, unpublished];
    case "dead":
      return [nativeDeadPredicate(mapping, "t"), unpublished];
    case "unknown":
      // A flag that is null is in no index of what is not published.
      return [unknownPredicate(mapping, "t"), ...(mapping.lifecycle.kind === "flag" ? [] : [unpublished])];
    case "unpublished":
      return [unpublished];
    case "published":
      return [publishedPredicate(mapping, "t")];
    case "all":
      return ["true"];
  }
}

/** With a store side a null count of the row may stand for a count beside it. */
function failedBase({ mapping, storeSide }: OutboxRef): string[] {
  const failed = failedPredicate(mapping, "t");
  return failed === null || (storeSide && mapping.columns.attempts?.nullable) ? [] : [failed];
}

/** Remembered for as long as catalogs are: an index that is created or dropped is seen within a minute. */
const REMEMBERED_MS = 60_000;
interface Memory {
  until: number;
  small: Promise<boolean> | undefined;
  readings: Map<string, Promise<Reading>>;
}
const memories = new WeakMap<OutboxMapping, Memory>();

function memoryOf(mapping: OutboxMapping): Memory {
  const known = memories.get(mapping);
  if (known && performance.now() < known.until) return known;
  const memory: Memory = { until: performance.now() + REMEMBERED_MS, small: undefined, readings: new Map() };
  memories.set(mapping, memory);
  return memory;
}

/** How the rows of a part can be read without reading the table. Asks plans alone; remembered for a minute. */
export async function readingOf(
  client: PoolClient,
  ref: OutboxRef,
  part: TablePart,
  order = columnSql(orderColumn(ref.mapping), "t"),
): Promise<Reading> {
  const memory = memoryOf(ref.mapping);
  const key = `${part} ${ref.storeSide} ${order}`;
  const known = memory.readings.get(key);
  if (known) return known;
  const made = findReading(client, ref, {
    bases: partBases(ref, part),
    order,
    walk: part === "published" || part === "all",
  });
  memory.readings.set(key, made);
  made.catch(() => memory.readings.delete(key));
  return made;
}

async function findReading(client: PoolClient, ref: OutboxRef, query: AccessQuery): Promise<Reading> {
  if (await isSmall(client, ref)) return { kind: "whole" };
  const access = await findAccess(client, ref, query);
  if (access) return { kind: "index", access };
  const scan = `SELECT 1 FROM ${quoteTable(ref.mapping.table)} t WHERE ${query.bases.at(-1) ?? "true"}`;
  return (await wouldScan(client, scan, [])) ? { kind: "none" } : { kind: "whole" };
}

/** Whether reading the whole table takes no longer than a page may. */
export async function isSmall(client: PoolClient, ref: OutboxRef): Promise<boolean> {
  const memory = memoryOf(ref.mapping);
  memory.small ??= heapBytes(client, ref).then((bytes) => bytes <= SMALL_TABLE_BYTES);
  memory.small.catch(() => {
    memory.small = undefined;
  });
  return memory.small;
}

/** Bytes of the table's heap, partitions included: what one pass over it would read. */
export async function heapBytes(client: PoolClient, ref: OutboxRef): Promise<number> {
  const result = await client.query<{ bytes: number }>(
    "SELECT coalesce(sum(pg_relation_size(relid)), pg_relation_size($1::regclass))::float8 AS bytes FROM pg_partition_tree($1::regclass)",
    [quoteTable(ref.mapping.table)],
  );
  return result.rows[0]?.bytes ?? 0;
}
