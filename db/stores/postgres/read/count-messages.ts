import { and, count, eq, gt, isNotNull, isNull, type SQL, type Subquery, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { PoolClient } from "pg";
import type { CountFigure, StateCounts } from "#db/stores/port/outbox-figures.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { COUNT_CAP } from "#db/stores/shared/read/count-cap.ts";
import { add, exact, pendingOf, sum } from "#db/stores/shared/read/count-figure.ts";
import { asRecorded, withRecorded } from "#db/stores/shared/read/recorded-counts.ts";
import { nativeInFlight } from "#db/stores/shared/states/claim-predicates.ts";
import { ALWAYS, all, isNotTrue, NEVER, not } from "#db/stores/shared/states/conditions.ts";
import {
  dead,
  deadAlone,
  expired,
  published,
  tellsFailures,
  unknown,
  unsent,
} from "#db/stores/shared/states/state-predicates.ts";
import { MESSAGE_STATES } from "#domain/message/message-state.ts";
import { queryOn } from "../connection/query-on.ts";
import { archive, deadLetter, delivery } from "../own-schema/schema.ts";
import { explain } from "../plans/query-cost.ts";
import { isSmall } from "../plans/table-access.ts";
import { outboxTable, regclass } from "../tables/outbox-table.ts";
import { claimed, hasFailed, isClaimed, selectRows, stateOf } from "../tables/states/message-state.ts";
import { type CountedEntries, type CountQuestion, countParts } from "./count-parts.ts";
import { readRecordedOnly } from "./recorded-only.ts";

/** Number of messages in each state, from one snapshot, each with its precision. */
export async function countMessages(
  client: PoolClient,
  ref: OutboxRef,
  counted?: CountedEntries,
): Promise<StateCounts> {
  const read = (await isSmall(client, ref))
    ? withRecorded(await countWhole(client, ref), await readRecordedOnly(client, ref))
    : await countLarge(client, ref, counted);
  const inTable = ref.mapping.lifecycle.kind === "log" ? asRecorded(read) : read;
  if (!ref.storeSide) return inTable;
  const movedDead = await countKept(client, deadLetter, eq(deadLetter.outbox, ref.name));
  const archived = await countKept(client, archive, eq(archive.outbox, ref.name));
  return { ...inTable, dead: sum(inTable.dead, movedDead), archived };
}

/** The planner's row estimate, which scales old statistics to the table's present size. */
async function estimateRows(client: PoolClient, ref: OutboxRef, where: SQL): Promise<number> {
  const { rows } = outboxTable(ref.mapping);
  const plan = await explain(client, queryOn(client).select({ one: sql`1` }).from(rows).where(where));
  return plan["Plan Rows"] ?? 0;
}

async function countWhole(client: PoolClient, ref: OutboxRef): Promise<StateCounts> {
  const fields = { state: stateOf(ref), count: sql<number>`count(*)::int` };
  const rows = await selectRows(queryOn(client), ref, fields).groupBy(sql`1`);
  const counts = Object.fromEntries(MESSAGE_STATES.map((state) => [state, exact(0)])) as StateCounts;
  for (const row of rows) counts[row.state] = exact(row.count);
  return counts;
}

/**
 * Counts unpublished rows by the indexes that hold them; `published` is the rest of the estimated rows. Each message
 * counts once, in the precedence of `stateExpression`.
 */
async function countLarge(client: PoolClient, ref: OutboxRef, counted?: CountedEntries): Promise<StateCounts> {
  const outbox = outboxTable(ref.mapping);
  const waits = unsent(outbox);
  const known = not(unknown(outbox));
  const beside = ref.storeSide ? await countKept(client, delivery, deadBeside(ref)) : exact(0);
  const questions = {
    unsent: { part: "waiting", where: waits },
    inFlight: { part: "waiting", where: all(waits, nativeInFlight(outbox)) },
    failed: { part: "failed", where: failedWhere(ref) },
    dead: { part: "dead", where: deadAlone(outbox) },
    expired: { part: "unpublished", where: expiredAlone(ref, known) },
    unknown: { part: "unknown", where: unknown(outbox) },
  } satisfies Record<string, CountQuestion>;
  const figures = await countParts(client, ref, questions, counted);
  const claimedNow = ref.storeSide ? await countClaimed(client, ref) : 0;
  const inFlight = add(figures.inFlight, claimedNow);
  const failed =
    tellsFailures(ref) || !ref.storeSide ? figures.failed : await countBeside(client, ref, gt(delivery.attempts, 0));
  const others = [figures.unsent, figures.dead, figures.expired, figures.unknown];
  const byLog = ref.storeSide && ref.mapping.lifecycle.kind === "log";
  const areBounds = failed === figures.failed && failed.precision === "capped" && figures.unsent.precision === "capped";
  const waiting = areBounds ? await countUntried(client, ref) : figures.unsent;
  const taken = areBounds ? [exact(claimedNow), beside] : [inFlight, failed, beside];
  return {
    pending: byLog ? await countBeside(client, ref, eq(delivery.attempts, 0)) : pendingOf(waiting, taken),
    failed,
    in_flight: inFlight,
    dead: sum(figures.dead, beside),
    published: await countPublished(client, ref, others),
    archived: exact(0),
    expired: figures.expired,
    unknown: figures.unknown,
  };
}

/** Counts rows of a store-side table, up to the cap. Each table has an index that begins with the outbox. */
async function countKept(client: PoolClient, table: PgTable, where: SQL | undefined): Promise<CountFigure> {
  const kept = queryOn(client)
    .select({ one: sql`1`.as("one") })
    .from(table)
    .where(where);
  return countUpToCap(client, kept);
}

/** Number of rows a query finds, up to the cap. */
async function countUpToCap(
  client: PoolClient,
  query: { limit(most: number): { as(name: string): Subquery } },
): Promise<CountFigure> {
  const found = query.limit(COUNT_CAP + 1).as("found");
  const [row] = await queryOn(client).select({ count: count() }).from(found);
  const counted = row?.count ?? 0;
  return counted > COUNT_CAP ? { value: COUNT_CAP, precision: "capped" } : exact(counted);
}

/** Unsent rows without those that failed, in one pass: a difference of two lower bounds would be none. */
async function countUntried(client: PoolClient, ref: OutboxRef): Promise<CountFigure> {
  const outbox = outboxTable(ref.mapping);
  const where = all(unsent(outbox), not(nativeInFlight(outbox)), not(failedWhere(ref)));
  const { untried } = await countParts(client, ref, { untried: { part: "waiting", where } });
  return untried;
}

function failedWhere(ref: OutboxRef): SQL {
  if (!tellsFailures(ref)) return NEVER;
  const outbox = outboxTable(ref.mapping);
  const failing = hasFailed({ ...ref, storeSide: false });
  return all(unsent(outbox), failing, not(isClaimed(ref, "live")), not(nativeInFlight(outbox)));
}

function expiredAlone({ mapping }: OutboxRef, known: SQL): SQL {
  const outbox = outboxTable(mapping);
  return all(expired(outbox), known, isNotTrue(dead(outbox)), isNotTrue(published(outbox)));
}

/**
 * The estimated rows minus the others; if the others are not exact, the planner's own estimate, if it has statistics.
 */
async function countPublished(
  client: PoolClient,
  ref: OutboxRef,
  others: readonly CountFigure[],
): Promise<CountFigure> {
  const sent = published(outboxTable(ref.mapping));
  if (sent === NEVER) return exact(0);
  if (others.every((figure) => figure.precision === "exact")) {
    const left = (await estimateRows(client, ref, ALWAYS)) - others.reduce((sum, figure) => sum + figure.value, 0);
    return { value: Math.max(0, Math.round(left)), precision: "estimate" };
  }
  if (!(await hasStatistics(client, ref))) return { value: 0, precision: "unknown" };
  return { value: await estimateRows(client, ref, sent), precision: "estimate" };
}

/** Looks at the partitions too: autovacuum analyses partitions, never their parent. */
async function hasStatistics(client: PoolClient, ref: OutboxRef): Promise<boolean> {
  const table = regclass(ref.mapping.table);
  const { rows } = await queryOn(client).execute<{ found: boolean }>(
    sql`SELECT EXISTS (SELECT 1 FROM pg_class c WHERE c.reltuples > 0 AND (c.oid = ${table} OR c.oid IN (SELECT relid FROM pg_partition_tree(${table})))) AS found`,
  );
  return rows[0]?.found ?? false;
}

async function countClaimed(client: PoolClient, ref: OutboxRef): Promise<number> {
  const db = queryOn(client);
  const claims = claimed(ref);
  const over = db.select({ id: delivery.messageId }).from(delivery).where(deadBeside(ref));
  const [row] = await db.with(claims).select({ count: count() }).from(claims).where(sql`live AND id NOT IN ${over}`);
  return row?.count ?? 0;
}

/** Messages that our records say wait, and that no relay is publishing now. */
async function countBeside(client: PoolClient, ref: OutboxRef, which: SQL): Promise<CountFigure> {
  const alive = and(eq(delivery.outbox, ref.name), isNull(delivery.deadAt), which);
  const found = queryOn(client)
    .with(claimed(ref))
    .select({ one: sql`1`.as("one") })
    .from(delivery)
    .where(and(alive, sql`${delivery.messageId} NOT IN (SELECT id FROM claimed WHERE live)`));
  return countUpToCap(client, found);
}

function deadBeside({ name }: OutboxRef): SQL | undefined {
  return and(eq(delivery.outbox, name), isNotNull(delivery.deadAt));
}
