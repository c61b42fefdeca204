import { sql } from "drizzle-orm";
import type { Pool, PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { PartitionOutcome, RetentionRule } from "#db/stores/port/retention.ts";
import { errorCode } from "#db/stores/shared/connection/driver-error.ts";
import { requireAge } from "#db/stores/shared/retention/age-column.ts";
import { requireByMapping } from "#db/stores/shared/retention/why-not-by-mapping.ts";
import { requireAcceptedTable } from "../act/require-accepted-table.ts";
import { queryOn } from "../connection/query-on.ts";
import { withWriteTransaction } from "../connection/transaction.ts";
import type { RangePartition } from "../storage/read-partitions.ts";
import { quoteTable } from "../tables/mapping-sql.ts";
import { foreignTable, outboxTable } from "../tables/outbox-table.ts";
import { slotAge } from "./find-removable.ts";
import { type Looked, whyStillNeeded } from "./recheck-partition.ts";
import { isRemovable, pinOf } from "./removable.ts";

/** A drop that queues for its lock makes every insert queue behind it, so it gives up at once. */
const LIMITS = "SET LOCAL lock_timeout = 200; SET LOCAL statement_timeout = 500";
const HELD = "another session held a lock for 200 ms";
const CONTENDED: Record<string, string> = {
  "55P03": HELD,
  "40P01": HELD,
  "57014":
    "checking its rows again while the table was locked took 500 ms; indexes on what is not published and on the time of publishing answer at once",
};

export interface Dropping extends Looked {
  rule: RetentionRule;
  partition: Pick<RangePartition, "schema" | "name" | "bytes">;
}

/**
 * Drops one partition in one transaction: locks the parent, which waits for every writer, repeats all checks that allow
 * the drop, then drops. Race: a row of an open transaction keeps the lock from being granted. The checks find a row,
 * claim, hold or operation that was committed since the look, because their snapshots are later than the lock.
 */
export async function dropPartition(
  pool: Pool,
  ref: OutboxRef,
  { rule, slot, partition: { schema, name, bytes } }: Dropping,
): Promise<PartitionOutcome> {
  const partition = { schema, name };
  try {
    return await withWriteTransaction(pool, async (client) => {
      await client.query(LIMITS);
      if (!(await isPartition(client, ref, partition)))
        return { outcome: "missing", partition: name, why: "it is no partition of the table any more" };
      await client.query(`LOCK TABLE ONLY ${quoteTable(ref.mapping.table)} IN ACCESS EXCLUSIVE MODE`);
      await client.query(`LOCK TABLE ${quoteTable(partition)} IN ACCESS EXCLUSIVE MODE`);
      requireByMapping(ref);
      await requireAcceptedTable(client, ref);
      const why = await whyStillNeeded(client, { ref, rule, slot, partition });
      if (why !== null) return { outcome: "pinned", partition: name, why };
      const counted = await client.query<{ rows: number }>(
        "SELECT greatest(reltuples, 0)::float8 AS rows FROM pg_class WHERE oid = $1::regclass",
        [quoteTable(partition)],
      );
      await client.query(`DROP TABLE ${quoteTable(partition)}`);
      return { outcome: "dropped", partition: name, rows: counted.rows[0]?.rows ?? 0, bytes };
    });
  } catch (error) {
    const why = CONTENDED[errorCode(error) ?? ""];
    if (why === undefined) throw error;
    return { outcome: "contended", partition: name, why };
  }
}

type Partition = { schema: string; name: string };

async function isPartition(client: PoolClient, { mapping }: OutboxRef, partition: Partition): Promise<boolean> {
  const { rows } = await client.query(
    "SELECT 1 FROM pg_inherits WHERE inhparent = $1::regclass AND inhrelid = to_regclass($2)",
    [quoteTable(mapping.table), quoteTable(partition)],
  );
  return rows.length > 0;
}

/**
 * Clause: why the partition stays; null if each of its rows may go. Reads it whole, at most for the statement's time.
 */
export async function firstPin(
  client: PoolClient,
  ref: OutboxRef,
  rule: RetentionRule,
  partition: Partition,
): Promise<string | null> {
  const { rows: alias } = outboxTable(ref.mapping);
  const { table } = foreignTable(partition, "p", []);
  const goes = isRemovable(ref, rule, requireAge(ref));
  const db = queryOn(client);
  const staying = await db.execute(sql`SELECT FROM ${table} ${alias} WHERE (${goes}) IS NOT TRUE LIMIT 1`);
  if ((staying.rowCount ?? 0) > 0) return "a row in it is not published, or not old enough";
  const pin = pinOf(ref, rule, await slotAge(client, rule.reader));
  const needed = await db.execute<{ pin: string }>(
    sql`SELECT needed.pin FROM (SELECT ${pin} AS pin FROM ${table} ${alias}) needed WHERE needed.pin IS NOT NULL LIMIT 1`,
  );
  return needed.rows[0]?.pin ?? null;
}
