import { sql } from "drizzle-orm";
import type { Pool, PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { all } from "#db/stores/shared/states/conditions.ts";
import { unsent } from "#db/stores/shared/states/state-predicates.ts";
import type { LeftBehind } from "#domain/diagnosis/facts/table.ts";
import { queryOn } from "../connection/query-on.ts";
import { partBases, READ_BUDGET } from "../plans/table-access.ts";
import { readGuarded } from "../read/read-entries.ts";
import { instantOf } from "../tables/column-values.ts";
import { quoteTable } from "../tables/mapping-sql.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { leftIn } from "./left-in.ts";
import { requireReading } from "./require-reading.ts";

/** A partition is remembered once messages of it have waited so long: a detach concerns old rows. */
const LONG_WAITING = sql.raw("interval '5 minutes'");

/**
 * A partition of the outbox that was detached, and is a table of its own now, if it holds messages that were not sent.
 * Partitions in which messages wait for long are kept with the accepted mapping, because nothing of a table shows that
 * it once was one. Index: the recommended one of waiting messages, and primary keys. Throws ScanRefused.
 */
export async function readDetached(client: PoolClient, writes: () => Pool, ref: OutboxRef): Promise<LeftBehind | null> {
  const { mapping, name: outbox, accepted, partitioned, storeSide } = ref;
  if (!accepted || !partitioned || !storeSide || mapping.lifecycle.kind === "log") return null;
  const kept = await readKept(client, outbox);
  if (kept === null) return null;
  const { rows: attached } = await client.query<{ oid: string }>(
    "SELECT relid::oid::text AS oid FROM pg_partition_tree($1::regclass) WHERE isleaf",
    [quoteTable(mapping.table)],
  );
  const isAttached = new Set(attached.map(({ oid }) => oid));
  const gone: LeftBehind[] = [];
  const keep = new Set(await readLongWaiting(client, ref));
  for (const oid of kept.filter((one) => !isAttached.has(one))) {
    const left = await leftIn(client, ref, { oid, how: "detached" });
    if (left === null || left.messages === 0) continue;
    gone.push(left);
    keep.add(oid);
  }
  const now = [...keep].sort();
  if (now.join() !== kept.join()) await note(writes(), outbox, now);
  return gone[0] ?? null;
}

/** Null without an accepted mapping in the database. */
async function readKept(client: PoolClient, outbox: string): Promise<string[] | null> {
  const { rows } = await client.query<{ partitions: string[] | null }>(
    "SELECT partitions FROM outbox_console.mapping_fingerprint WHERE outbox = $1",
    [outbox],
  );
  return rows[0] ? (rows[0].partitions ?? []) : null;
}

/** Oids of partitions with such messages. */
async function readLongWaiting(client: PoolClient, ref: OutboxRef): Promise<string[]> {
  const db = queryOn(client);
  const outbox = outboxTable(ref.mapping);
  const { createdAt } = ref.mapping.columns;
  const reading = await requireReading(client, ref, partBases(ref, "waiting"));
  const isLong = createdAt ? sql`${instantOf(outbox, createdAt)} < clock_timestamp() - ${LONG_WAITING}` : sql`true`;
  const looked = db
    .select({ part: sql`${outbox.column({ name: "tableoid" })}`.as("part") })
    .from(outbox.rows)
    .where(all(unsent(outbox), isLong))
    .limit(READ_BUDGET)
    .as("looked");
  const query = db.selectDistinct({ part: sql<string>`part::text` }).from(looked);
  return (await readGuarded(client, reading, () => query)).map(({ part }) => part);
}

/** The next reading tries again if it fails: the server may take no writes. */
async function note(writes: Pool, outbox: string, partitions: readonly string[]): Promise<void> {
  await writes
    .query("UPDATE outbox_console.mapping_fingerprint SET partitions = $2 WHERE outbox = $1", [outbox, partitions])
    .catch(() => undefined);
}
