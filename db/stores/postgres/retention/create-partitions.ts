import { createHash } from "node:crypto";
import type { Pool } from "pg";
import type { TableName } from "#db/stores/port/mapping.ts";
import type { PartitionOutcome } from "#db/stores/port/retention.ts";
import { errorCode } from "#db/stores/shared/connection/driver-error.ts";
import { withReadTransaction, withWriteTransaction } from "../connection/transaction.ts";
import { type RangePartition, readRangeTable } from "../storage/read-partitions.ts";
import { quoteLiteral, quoteTable } from "../tables/mapping-sql.ts";

const LIMITS = "SET LOCAL lock_timeout = 200; SET LOCAL statement_timeout = 5000";
const READ_TIMEOUT_MS = 3_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TAKEN = "42P07";
const OVERLAPS = "42P17";
const IN_DEFAULT = "23514";

/** Creates the missing ones of `ahead` partitions, each in its own transaction, and never together with a drop. */
export async function createAhead(pool: Pool, table: TableName, ahead: number): Promise<PartitionOutcome[]> {
  const outcomes: PartitionOutcome[] = [];
  for (let turn = 0; turn < ahead; turn += 1) {
    const ranges = await withReadTransaction(pool, READ_TIMEOUT_MS, (client) => readRangeTable(client, table));
    const missing = ranges ? ahead - ranges.partitions.filter(({ place }) => place === "ahead").length : 0;
    if (!ranges || missing <= 0) break;
    const next = nextRange(ranges.partitions);
    if (!next) break;
    const outcome = await create(pool, table, { ...next, isDate: ranges.type === "date" });
    outcomes.push(outcome);
    if (outcome.outcome !== "created") break;
  }
  return outcomes;
}

interface Range {
  name: string;
  schema: string;
  from: Date;
  to: Date;
}

/**
 * The range after the last one, of equal length; a month or a year if the last one was one. Null if that is unclear.
 */
export function nextRange(partitions: readonly RangePartition[]): Range | null {
  const [last, before] = partitions.filter(isBounded).reverse();
  if (!last) return null;
  const endless = partitions.some(({ isDefault, toMs }) => !isDefault && toMs === null);
  if (endless) return null;
  const [from, to] = [new Date(last.toMs), new Date(endOf(last, before))];
  const stem = last.name.replace(/[_p]*\d[\d_]*$/, "");
  return { schema: last.schema, from, to, name: `${shortStem(stem)}_p${stampOf(from, to)}` };
}

/** Postgres cuts a name after 63 bytes: the stamp needs 17 of them. */
const STEM_BYTES = 40;
const HASH_DIGITS = 8;

/** Two long stems stay apart by a hash. */
function shortStem(stem: string): string {
  if (Buffer.byteLength(stem) <= STEM_BYTES) return stem;
  let cut = "";
  for (const character of stem) {
    if (Buffer.byteLength(cut + character) > STEM_BYTES - HASH_DIGITS - 1) break;
    cut += character;
  }
  return `${cut}_${createHash("sha256").update(stem).digest("hex").slice(0, HASH_DIGITS)}`;
}

interface Bounds {
  fromMs: number;
  toMs: number;
}

function isBounded(partition: RangePartition): partition is RangePartition & Bounds {
  return partition.fromMs !== null && partition.toMs !== null;
}

/** Months and years differ in length, so they are counted by the calendar, in UTC. */
function endOf({ fromMs, toMs }: Bounds, before: Bounds | undefined): number {
  const [from, to] = [new Date(fromMs), new Date(toMs)];
  const isMidnight = fromMs % DAY_MS === 0 && toMs % DAY_MS === 0;
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  const sameDay = from.getUTCDate() === to.getUTCDate();
  if (isMidnight && sameDay && months > 0)
    return Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + months, to.getUTCDate());
  return toMs + lengthOf({ fromMs, toMs }, before);
}

/**
 * On the day on which a zone's clocks change, a day or a week is an hour shorter or longer: the one before then says
 * more.
 */
function lengthOf(last: Bounds, before: Bounds | undefined): number {
  const length = last.toMs - last.fromMs;
  const earlier = before ? before.toMs - before.fromMs : 0;
  const isOff = Math.abs(length - earlier) === HOUR_MS && earlier % DAY_MS === 0;
  return isOff ? earlier : length;
}

function stampOf(from: Date, to: Date): string {
  const digits = from.toISOString().replace(/\D/g, "");
  const isDays = from.getTime() % DAY_MS === 0 && to.getTime() % DAY_MS === 0;
  return isDays ? digits.slice(0, 8) : `${digits.slice(0, 8)}_${digits.slice(8, 14)}`;
}

interface Wanted {
  table: TableName;
  partition: TableName;
}

/** True if another relation has the partition's name. */
async function isOther(pool: Pool, { table, partition }: Wanted): Promise<boolean> {
  const { rows } = await pool.query<{ isOther: boolean }>(
    `SELECT to_regclass($1) IS NOT NULL AND NOT EXISTS (
       SELECT FROM pg_inherits WHERE inhrelid = to_regclass($1) AND inhparent = to_regclass($2)) AS "isOther"`,
    [quoteTable(partition), quoteTable(table)],
  );
  return rows[0]?.isOther ?? false;
}

async function create(pool: Pool, table: TableName, range: Range & { isDate: boolean }): Promise<PartitionOutcome> {
  const partition = { schema: range.schema, name: range.name };
  const bound = (at: Date) =>
    quoteLiteral(range.isDate ? at.toISOString().slice(0, 10) : at.toISOString().replace("Z", "+00"));
  const statement = `CREATE TABLE ${quoteTable(partition)} PARTITION OF ${quoteTable(table)} FOR VALUES FROM (${bound(range.from)}) TO (${bound(range.to)})`;
  try {
    await withWriteTransaction(pool, async (client) => {
      await client.query(LIMITS);
      await client.query(statement);
    });
    return { outcome: "created", partition: range.name, statement: `${statement};` };
  } catch (error) {
    return { outcome: "contended", partition: range.name, why: await whyNot(pool, { table, partition }, error) };
  }
}

/** Sentences. Rethrows errors that it does not know. */
async function whyNot(pool: Pool, wanted: Wanted, error: unknown): Promise<string> {
  const code = errorCode(error);
  if (code === TAKEN && (await isOther(pool, wanted)))
    return `The name ${wanted.partition.name} belongs to a table or index that is no partition of this one. Rename that one.`;
  if (code === TAKEN || code === OVERLAPS) return "Another program has created it, or one that overlaps.";
  if (code === IN_DEFAULT) return "The default partition has rows of its range. Move them first.";
  if (code === "55P03" || code === "57014" || code === "40P01")
    return "Another session held a lock on the table for 200 ms.";
  if (code === "42501") return "Only the table's owner may create partitions.";
  throw error;
}
