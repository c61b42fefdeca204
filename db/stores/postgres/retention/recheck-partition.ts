import { sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { RetentionRule } from "#db/stores/port/retention.ts";
import { requireAge } from "#db/stores/shared/retention/age-column.ts";
import { PINS } from "#db/stores/shared/retention/retention-words.ts";
import { all, isNotTrue } from "#db/stores/shared/states/conditions.ts";
import { dead, notPublished, published, unknown } from "#db/stores/shared/states/state-predicates.ts";
import { keyParameters } from "#db/stores/shared/tables/key-parameters.ts";
import { queryOn } from "../connection/query-on.ts";
import { claim, operation, operationItem, pause, restored, suspect } from "../own-schema/schema.ts";
import { keyIs } from "../read/find-message.ts";
import { latestInTime } from "../storage/backdated-by.ts";
import { type RangePartition, readRangeTable } from "../storage/read-partitions.ts";
import { encodeInstant } from "../tables/column-values.ts";
import { keysOf, messageId } from "../tables/message-key.ts";
import { foreignTable, outboxTable } from "../tables/outbox-table.ts";
import { boundOf } from "./removable.ts";

/** Longest time for all checks together while the table is locked, ms. */
const CHECK_MS = 500;
/** Messages that something needs and that are looked up in the partition while the table is locked. */
const MOST_NEEDED = 10_000;
/** Each message is found by its key; a plan that reads the partition instead would keep the table locked. */
const BY_KEY = "SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off";

/** Results of the look without locks that the rows do not show. */
export interface Looked {
  /** Up to which transaction the reader's slot was needed, as `slotPoint` says it; null without a slot. */
  slot: string | null;
}

interface Recheck extends Looked {
  ref: OutboxRef;
  rule: RetentionRule;
  partition: Pick<RangePartition, "schema" | "name">;
}

/**
 * Clause: why the partition must stay; null if everything that let it go without a lock still holds. The caller has
 * locked the table and the partition, so nothing changes any more. Throws 57014 once the checks have taken 500 ms. The
 * look has read every row; here an index answers each question: unpublished rows, the latest time of publishing, and
 * the keys of messages that are still needed.
 */
export async function whyStillNeeded(client: PoolClient, recheck: Recheck): Promise<string | null> {
  const until = performance.now() + CHECK_MS;
  const ranges = await readRangeTable(client, recheck.ref.mapping.table);
  const now = ranges?.partitions.find(
    ({ schema, name }) => schema === recheck.partition.schema && name === recheck.partition.name,
  );
  if (!ranges || !now || now.isDetaching || ranges.managedBy !== null) return "the table's partitions have changed";
  // A partition that was detached and attached again may have another range.
  if (now.toMs === null || now.toMs > ranges.nowMs - recheck.rule.keepSeconds * 1000)
    return "its range has changed and is not old enough";
  const range = { ofColumn: ranges.column, toMs: now.toMs };
  for (const check of [rowReason, ageReason, slotReason, needReason]) {
    const left = Math.max(1, Math.floor(until - performance.now()));
    await client.query(`SET LOCAL statement_timeout = ${left}`);
    const why = await check(client, { ...recheck, range });
    if (why !== null) return why;
  }
  return null;
}

interface Checked extends Recheck {
  range: { ofColumn: string; toMs: number };
}

async function rowReason(client: PoolClient, { ref: { mapping }, partition }: Checked): Promise<string | null> {
  const outbox = outboxTable(mapping);
  const { table } = foreignTable(partition, "p", []);
  const open =
    mapping.lifecycle.kind === "timestamp"
      ? notPublished(outbox)
      : sql`(${all(published(outbox), isNotTrue(dead(outbox)), isNotTrue(unknown(outbox)))}) IS NOT TRUE`;
  const { rowCount } = await queryOn(client).execute(sql`SELECT FROM ${table} ${outbox.rows} WHERE ${open} LIMIT 1`);
  return (rowCount ?? 0) > 0 ? "a row in it is not published" : null;
}

/** Where the creation time is the age and the range, the range has answered already. */
async function ageReason(client: PoolClient, { ref, rule, partition, range }: Checked): Promise<string | null> {
  const age = requireAge(ref);
  if (age.column.name === range.ofColumn) return null;
  const { rows: alias, column } = outboxTable(ref.mapping);
  const { table } = foreignTable(partition, "p", []);
  const value = column(age.column);
  const bound = encodeInstant(age.column, boundOf(rule.keepSeconds));
  const end = encodeInstant(age.column, latestInTime(range.toMs));
  const { rows } = await queryOn(client).execute<Record<"young" | "late" | "unset", boolean | null>>(
    sql`SELECT newest >= ${bound} AS young, newest > ${end} AS late,
       EXISTS (SELECT FROM ${table} ${alias} WHERE ${value} IS NULL) AS unset
     FROM (SELECT max(${value}) AS newest FROM ${table} ${alias}) AS latest`,
  );
  const { young, late, unset } = rows[0] ?? {};
  if (young || unset) return "a row in it is not old enough";
  return late && age.of === "published" ? "a row with an old time came after its range had ended" : null;
}

/**
 * The look has compared each row with the slot, and a slot only moves forward. Only a recreated slot reads transactions
 * again that were already confirmed.
 */
async function slotReason(client: PoolClient, { rule, slot }: Checked): Promise<string | null> {
  const now = await slotPoint(client, rule.reader);
  if (now === null) return null;
  if (slot === null) return PINS.reader;
  const { rows } = await client.query<{ back: boolean }>("SELECT age($1::xid) > age($2::xid) AS back", [now, slot]);
  return rows[0]?.back === false ? null : PINS.reader;
}

/** The oldest transaction that the relay's slot has yet to pass; null without a slot that delivers something. */
export async function slotPoint(client: PoolClient, reader: string | null): Promise<string | null> {
  if (reader === null) return null;
  const { rows } = await client.query<{ point: string | null }>(
    "SELECT catalog_xmin::text AS point FROM pg_replication_slots WHERE slot_name = $1 AND wal_status IS DISTINCT FROM 'lost'",
    [reader],
  );
  return rows[0]?.point ?? null;
}

/** Looks the other way round than `pinOf`: from the few messages that something needs into the partition. */
async function needReason(client: PoolClient, { ref, partition }: Checked): Promise<string | null> {
  const needed = await readNeeded(client, ref);
  if (needed.length > MOST_NEEDED)
    return `more than ${MOST_NEEDED} messages of the outbox are needed, too many to look up while the table is locked`;
  const keys = keysOf(
    ref.mapping,
    needed.map(({ id }) => id),
  );
  if (keys.length === 0) return null;
  await client.query(BY_KEY);
  const outbox = outboxTable(ref.mapping);
  const { table } = foreignTable(partition, "p", []);
  const byKey = keyIs(ref.mapping, keyParameters(keys, ref.mapping.primaryKey.length));
  const { rows } = await queryOn(client).execute<{ id: string }>(
    sql`SELECT ${messageId(outbox)} AS id FROM ${table} ${outbox.rows} WHERE ${byKey} LIMIT 1`,
  );
  const [row] = rows;
  if (!row) return null;
  return needed.find(({ id }) => id === row.id)?.pin ?? "a message in it is needed";
}

/** Messages that `pinOf` would name, wherever their rows are. */
async function readNeeded(client: PoolClient, { name }: OutboxRef): Promise<{ id: string; pin: string }[]> {
  const of = (table: typeof restored | typeof suspect | typeof pause, pin: string) =>
    sql`SELECT ${table.messageId}, ${pin} FROM ${table} WHERE ${table.outbox} = ${name} AND ${table.messageId} IS NOT NULL`;
  const { rows } = await queryOn(client).execute<{ id: string; pin: string }>(
    sql`SELECT id, pin FROM (
       SELECT unnest(${claim.messageIds}), ${PINS.claim}::text FROM ${claim} WHERE ${claim.outbox} = ${name}
       UNION ALL ${of(suspect, PINS.suspect)} UNION ALL ${of(pause, PINS.pause)} UNION ALL ${of(restored, PINS.restored)}
       UNION ALL SELECT target ->> 'id', ${PINS.operation} FROM ${operation}, json_array_elements(${operation.result} -> 'outcomes') target
         WHERE ${operation.outbox} = ${name} AND ${operation.at} > now() - interval '30 days' AND ${operation.result} ->> 'finished' = 'false'
       UNION ALL SELECT ${operationItem.messageId}, ${PINS.operation} FROM ${operation} JOIN ${operationItem} ON ${operation.id} = ${operationItem.operationId}
         WHERE ${operation.outbox} = ${name} AND ${operation.state} IS NOT NULL AND ${operation.endedAt} IS NULL
     ) AS needed (id, pin) LIMIT ${MOST_NEEDED + 1}`,
  );
  return rows;
}
