import { type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { Lifecycle, OutboxMapping } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ALWAYS, NEVER } from "#db/stores/shared/states/conditions.ts";
import { dead, failed, notPublished, published, unknown, waiting } from "#db/stores/shared/states/state-predicates.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import type { TablePart } from "#db/stores/shared/tables/table-part.ts";
import { toText } from "../connection/dialect.ts";
import { queryOn } from "../connection/query-on.ts";
import { outboxTable, regclass } from "../tables/outbox-table.ts";
import { type Access, type AccessQuery, findAccess } from "./find-access.ts";
import { wouldScan } from "./query-cost.ts";

/** Tables up to this size are scanned whole: some 20,000 messages, some 20 ms. */
const SMALL_TABLE_BYTES = 16 * 1024 * 1024;
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

const APART: ReadonlySet<Lifecycle["kind"]> = new Set(["flag", "log", "untold", "unknown"]);

export function partBases(ref: OutboxRef, part: TablePart): SQL[] {
  const outbox = outboxTable(ref.mapping);
  const unpublished = notPublished(outbox);
  switch (part) {
    case "waiting":
      return [waiting(outbox), unpublished];
    case "failed":
      return [...failedBase(ref), waiting(outbox), unpublished];
    case "dead":
      return [dead(outbox), unpublished];
    case "unknown":
      // An index of unpublished rows does not hold rows whose flag is null; nor are there such rows where no row says
      // it.
      return [unknown(outbox), ...(APART.has(ref.mapping.lifecycle.kind) ? [] : [unpublished])];
    case "unpublished":
      return [unpublished];
    case "published":
      return [published(outbox)];
    case "all":
      return [ALWAYS];
  }
}

/** With a store side, a row whose attempts are null may have its count in a delivery row. */
function failedBase({ mapping, storeSide }: OutboxRef): SQL[] {
  const hasFailed = failed(outboxTable(mapping));
  return hasFailed === NEVER || (storeSide && mapping.columns.attempts?.nullable) ? [] : [hasFailed];
}

/** Cached as long as catalogs are: a created or dropped index is noticed within a minute. */
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

/** How to read the rows of a part without a scan. Reads only plans; cached for a minute. */
export async function readingOf(
  client: PoolClient,
  ref: OutboxRef,
  part: TablePart,
  { order = deliveryOrder(ref), use = "list" }: { order?: readonly SQL[]; use?: "list" | "count" } = {},
): Promise<Reading> {
  const walk = part === "published" || part === "all";
  const key = `${part} ${use} ${ref.storeSide} ${toText(listOf(order))}`;
  return remembered(ref, key, () => findReading(client, ref, { bases: partBases(ref, part), order, walk, use }));
}

/** The same for rows by other conditions, narrowest first; each holds for every wanted row. */
export function readingBy(client: PoolClient, ref: OutboxRef, bases: readonly SQL[]): Promise<Reading> {
  const order = deliveryOrder(ref);
  const key = `${toText(listOf(bases))} ${toText(listOf(order))}`;
  return remembered(ref, key, () => findReading(client, ref, { bases, order }));
}

const listOf = (parts: readonly SQL[]) => sql.join([...parts], sql`, `);

function remembered(ref: OutboxRef, key: string, find: () => Promise<Reading>): Promise<Reading> {
  const { readings } = memoryOf(ref.mapping);
  const known = readings.get(key);
  if (known) return known;
  const made = find();
  readings.set(key, made);
  made.catch(() => readings.delete(key));
  return made;
}

/** The order of first deliveries, as an ORDER BY list. */
export function deliveryOrder({ mapping }: OutboxRef): SQL[] {
  return [outboxTable(mapping).column(orderColumn(mapping))];
}

async function findReading(client: PoolClient, ref: OutboxRef, query: AccessQuery): Promise<Reading> {
  if (await isSmall(client, ref)) return { kind: "whole" };
  const access = await findAccess(client, ref, query);
  if (access) return { kind: "index", access };
  const { rows } = outboxTable(ref.mapping);
  const scan = queryOn(client)
    .select({ one: sql`1` })
    .from(rows)
    .where(query.bases.at(-1) ?? ALWAYS);
  return (await wouldScan(client, scan)) ? { kind: "none" } : { kind: "whole" };
}

/** True if reading the whole table is as fast as a page must be. */
export async function isSmall(client: PoolClient, ref: OutboxRef): Promise<boolean> {
  const memory = memoryOf(ref.mapping);
  memory.small ??= heapBytes(client, ref).then((bytes) => bytes <= SMALL_TABLE_BYTES);
  memory.small.catch(() => {
    memory.small = undefined;
  });
  return memory.small;
}

/** Bytes of the table's heap, partitions included: the size of a full scan. */
export async function heapBytes(client: PoolClient, ref: OutboxRef): Promise<number> {
  const table = regclass(ref.mapping.table);
  const { rows } = await queryOn(client).execute<{ bytes: number }>(
    sql`SELECT coalesce(sum(pg_relation_size(relid)), pg_relation_size(${table}))::float8 AS bytes FROM pg_partition_tree(${table})`,
  );
  return rows[0]?.bytes ?? 0;
}
