import { type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ALWAYS } from "#db/stores/shared/states/conditions.ts";
import { toIndexText } from "../connection/dialect.ts";
import { type Database, queryOn } from "../connection/query-on.ts";
import { outboxTable, regclass } from "../tables/outbox-table.ts";
import { hasNode, type Scan, scansOf } from "./plan-scans.ts";
import { explain } from "./query-cost.ts";
import { withPlannerOff } from "./with-planner-off.ts";

/** How to find rows of a large table without reading the rest of it. */
export interface Access {
  /** Condition that holds for every entry read: that of the wanted rows, or a wider one. */
  predicate: SQL;
  /** The entries are exactly the wanted rows. */
  exact: boolean;
  /** The entries come in the requested order. */
  ordered: boolean;
  /** The planner's estimate of the number of entries. */
  rows: number;
}

export interface AccessQuery {
  /** Conditions over row `t`, narrowest first; each holds for every wanted row. */
  bases: readonly SQL[];
  /** An ORDER BY list over row `t`. */
  order: readonly SQL[];
  /** Most rows of the table are wanted, so an index in their order serves as well. */
  walk?: boolean;
  /** Rows in another order say how many there are, and not which are the first. */
  use?: "list" | "count";
  /** Result of `partialIndexes`, to share one catalog read between several queries. */
  partial?: ReadonlyMap<string, string>;
}

/**
 * Planner settings that show whether an index can serve at all: on a small table, or with old statistics, a scan looks
 * cheaper and says nothing about the table once it is large. JIT is off because the high cost of disabled plans would
 * trigger it.
 */
const NO_SCANS = ["seqscan", "bitmapscan", "jit"] as const;

/** Connections within withIndexesOnly. */
const bound = new WeakSet<PoolClient>();

/**
 * Runs reads that an index can serve, as `findAccess` found, so that wrong statistics cannot turn them into a scan.
 * Calls within it are part of it: several reads then need the settings once.
 */
export async function withIndexesOnly<T>(client: PoolClient, work: () => PromiseLike<T>): Promise<T> {
  if (bound.has(client)) return work();
  bound.add(client);
  try {
    return await withPlannerOff(client, NO_SCANS, work);
  } finally {
    bound.delete(client);
  }
}

/**
 * The narrowest condition that an index serves fully: by a partial index with only such rows, or by an index search.
 * Where most rows are wanted, a list walks in its order rather than through such entries in another. Null if none does.
 * Reads only plans and the catalog.
 */
export async function findAccess(client: PoolClient, ref: OutboxRef, query: AccessQuery): Promise<Access | null> {
  const partial = query.partial ?? (await partialIndexes(client, ref));
  return withIndexesOnly(client, async () => {
    const walk = query.walk ? await walkAccess(client, ref, query.order) : null;
    for (const [position, predicate] of query.bases.entries()) {
      const access = await accessBy(client, ref, { ...query, predicate, partial });
      if (access && (access.ordered || walk === null || query.use === "count"))
        return { ...access, exact: position === 0 };
    }
    return walk;
  });
}

interface Candidate extends AccessQuery {
  predicate: SQL;
  partial: ReadonlyMap<string, string>;
}

async function accessBy(client: PoolClient, ref: OutboxRef, candidate: Candidate): Promise<Access | null> {
  const { predicate, order, partial } = candidate;
  const serves = (scan: Scan) => scan.index !== null && !scan.filtered && (scan.searched || partial.has(scan.index));
  // If every row is wanted, any scan will do.
  if (predicate === ALWAYS) return (await walkAccess(client, ref, order)) ?? wholeAccess(ref);
  const db = queryOn(client);
  const found = await explain(client, selectOf(db, ref).where(predicate));
  if (!scansOf(found, "t").every(serves)) return null;
  const sorted = await explain(client, firstOf(db, ref, order).where(predicate));
  const planned = !hasNode(sorted, "Sort") && scansOf(sorted, "t").every(serves);
  // With few rows the planner may prefer a walk over all of them; check whether the index itself is in order.
  const ordered = planned || (await leadsWith(client, scansOf(found, "t"), order, partial));
  return { predicate, exact: true, ordered, rows: found["Plan Rows"] ?? 0 };
}

function wholeAccess(ref: OutboxRef): Access {
  return { predicate: ALWAYS, exact: false, ordered: false, rows: ref.estimatedRows };
}

/** Walks the whole table in the order of an index; null if no index gives the order. */
async function walkAccess(client: PoolClient, ref: OutboxRef, order: readonly SQL[]): Promise<Access | null> {
  const plan = await explain(client, firstOf(queryOn(client), ref, order));
  const walks = !hasNode(plan, "Sort") && scansOf(plan, "t").every((scan) => scan.index !== null);
  return walks ? { predicate: ALWAYS, exact: false, ordered: true, rows: ref.estimatedRows } : null;
}

/** True if every scan uses a partial index whose first column is the first of the order. */
async function leadsWith(
  client: PoolClient,
  scans: readonly Scan[],
  order: readonly SQL[],
  partial: ReadonlyMap<string, string>,
): Promise<boolean> {
  const names = scans.map(({ index }) => index ?? "");
  if (names.length === 0 || !names.every((name) => partial.has(name))) return false;
  const { rows } = await queryOn(client).execute<{ leading: string }>(
    sql`SELECT pg_get_indexdef(c.oid, 1, false) AS leading FROM pg_class c WHERE c.relkind = 'i' AND c.relname = ANY (${sql.param(names)}::text[])`,
  );
  const plain = (name: string) => name.replaceAll('"', "");
  const first = order[0] ? toIndexText(order[0]).replace(/ (ASC|DESC)$/, "") : "";
  return rows.every(({ leading }) => plain(leading) === plain(first));
}

/** Selects the payload, which no index holds, to rule out index-only scans: those say nothing about a search. */
function selectOf(db: Database, { mapping }: OutboxRef) {
  const outbox = outboxTable(mapping);
  return db
    .select({ payload: outbox.column(mapping.columns.payload) })
    .from(outbox.rows)
    .$dynamic();
}

function firstOf(db: Database, ref: OutboxRef, order: readonly SQL[]) {
  return selectOf(db, ref)
    .orderBy(...order)
    .limit(100);
}

/** Conditions of the partial indexes of the table and its partitions, by index name, as the catalog prints them. */
export async function partialIndexes(client: PoolClient, { mapping }: OutboxRef): Promise<ReadonlyMap<string, string>> {
  const table = regclass(mapping.table);
  const { rows } = await queryOn(client).execute<{ name: string; predicate: string }>(
    sql`SELECT c.relname AS name, pg_get_expr(i.indpred, i.indrelid) AS predicate FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE i.indpred IS NOT NULL AND i.indisvalid AND (i.indrelid = ${table} OR i.indrelid IN (SELECT relid FROM pg_partition_tree(${table})))`,
  );
  return new Map(rows.map(({ name, predicate }) => [name, predicate]));
}
