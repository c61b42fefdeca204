import { and, desc, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { PoolClient } from "pg";
import type { FailureGroupRow, NativeFailure } from "#db/stores/port/failure-groups.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { type FailureRead, NOTHING_KEPT } from "#db/stores/shared/read/failures-read.ts";
import { countHours } from "#db/stores/shared/read/new-by-hour.ts";
import { ALWAYS, NEVER } from "#db/stores/shared/states/conditions.ts";
import { dead, failed } from "#db/stores/shared/states/state-predicates.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import type { TablePart } from "#db/stores/shared/tables/table-part.ts";
import type { FailureGrouping } from "#domain/message/failure-grouping.ts";
import { toText } from "../connection/dialect.ts";
import { type Database, queryOn } from "../connection/query-on.ts";
import { deadLetter, delivery } from "../own-schema/schema.ts";
import { withIndexesOnly } from "../plans/find-access.ts";
import { recommendedIndexes } from "../plans/recommended-indexes.ts";
import { partBases, type Reading, readingOf } from "../plans/table-access.ts";
import { instantText, shortened, textOf } from "../tables/column-values.ts";
import type { Selects } from "../tables/message-columns.ts";
import { messageId } from "../tables/message-key.ts";
import { type OutboxTable, outboxTable } from "../tables/outbox-table.ts";

/** Most messages read per place: in the table, and moved. */
const FAILURES_READ = 10_000;

const KEYS: Record<FailureGrouping, SQL<string>> = {
  text: sql`coalesce(fingerprint, '')`,
  code: sql`coalesce(code, '')`,
  type: sql`coalesce(event_type, '')`,
};

/**
 * Failed and dead messages in groups, largest first; at most 100 groups. Reads only the store
 * side, at most FAILURES_READ per place.
 */
export async function listFailureGroups(
  client: PoolClient,
  ref: OutboxRef,
  by: FailureGrouping,
): Promise<FailureRead<FailureGroupRow>> {
  if (!ref.storeSide) return NOTHING_KEPT;
  const db = queryOn(client);
  const failures = db.$with("failures").as(failuresOf(db, ref.name));
  const newest = (value: SQL) => sql`(array_agg(${value} ORDER BY last_at DESC NULLS LAST))[1]`;
  const fields: Selects<FailureGroupRow & { read: number; most: number }> = {
    key: KEYS[by],
    code: sql`CASE WHEN count(DISTINCT coalesce(code, '')) = 1 THEN max(code) END`,
    text: newest(sql`text`) as SQL<string | null>,
    eventTypes: sql`array_agg(DISTINCT coalesce(event_type, ''))`,
    messages: sql`count(*)::int`,
    failed: sql`count(*) FILTER (WHERE NOT dead)::int`,
    dead: sql`count(*) FILTER (WHERE dead)::int`,
    aggregates: sql`count(DISTINCT aggregate)::int`,
    firstSeenAt: instantText(sql`min(first_at)`),
    lastSeenAt: instantText(sql`max(last_at)`),
    newByHour: NEW_BY_HOUR,
    sampleId: newest(sql`message_id`) as SQL<string>,
    read: sql`(SELECT count(*)::int FROM failures)`,
    most: sql`(SELECT max(n)::int FROM (SELECT count(*) AS n FROM failures GROUP BY place) places)`,
  };
  const rows = await db
    .with(failures)
    .select(fields)
    .from(failures)
    .groupBy(KEYS[by])
    .orderBy(sql`count(*) DESC`, KEYS[by])
    .limit(100);
  const { read = 0, most = 0 } = rows[0] ?? {};
  const groups = rows.map(({ read: _, most: __, ...group }) => group);
  return { groups, read, complete: most < FAILURES_READ, index: null };
}

/**
 * New messages of each hour; null if the first failure of one has no time. One letter a message: 24 counters a row cost
 * six times as much, and double the whole read.
 */
const NEW_BY_HOUR: SQL<number[] | null> =
  sql`CASE WHEN bool_and(first_at IS NOT NULL) THEN coalesce(string_agg(chr(65 + hours_ago), '') FILTER (WHERE hours_ago < 24), '') END`.mapWith(
    (letters) => countHours(Array.from(String(letters), (letter) => letter.charCodeAt(0) - 65)),
  );

/**
 * The newest failures in the store side: of messages in their table, and dead letters. Index: delivery_newest_idx,
 * dead_letter_time_idx.
 */
function failuresOf(db: Database, outbox: string) {
  const common = (table: typeof delivery | typeof deadLetter) => ({
    fingerprint: table.fingerprint,
    code: sql`${table.lastErrorCode}`.as("code"),
    text: sql`${table.lastError}`.as("text"),
    eventType: table.eventType,
    firstAt: sql`${table.firstFailedAt}`.as("first_at"),
    hoursAgo: sql`least(24, floor(greatest(0, date_part('epoch', now() - ${table.firstFailedAt})) / 3600))::int`.as(
      "hours_ago",
    ),
    lastAt: sql`${table.lastFailedAt}`.as("last_at"),
    messageId: table.messageId,
  });
  const inTable = (place: SQL, when: SQL) =>
    db
      .select({
        place: place.as("place"),
        ...common(delivery),
        aggregate: sql`${delivery.aggregateKey}`.as("aggregate"),
        dead: sql`${delivery.deadAt} IS NOT NULL`.as("dead"),
      })
      .from(delivery)
      .where(and(eq(delivery.outbox, outbox), isNotNull(delivery.fingerprint), when))
      .orderBy(desc(delivery.lastFailedAt))
      .limit(FAILURES_READ);
  const moved = db
    .select({
      place: sql`2`.as("place"),
      ...common(deadLetter),
      aggregate: sql`coalesce(${deadLetter.aggregateType} || '/', '') || ${deadLetter.aggregateId}`.as("aggregate"),
      dead: sql`true`.as("dead"),
    })
    .from(deadLetter)
    .where(eq(deadLetter.outbox, outbox))
    .orderBy(desc(deadLetter.deadAt))
    .limit(FAILURES_READ);
  // An operator gave up on these, which had not failed before.
  const untimed = inTable(sql`3`, isNull(delivery.lastFailedAt));
  return unionAll(inTable(sql`1`, isNotNull(delivery.lastFailedAt)), untimed, moved);
}

/** The newest failed and dead rows by the table alone, with its own error texts; the caller groups them. */
export async function listNativeFailures(client: PoolClient, ref: OutboxRef): Promise<FailureRead<NativeFailure>> {
  const read: FailureRead<NativeFailure> = { groups: [], read: 0, complete: true, index: null };
  const outbox = outboxTable(ref.mapping);
  const passes = new Map<string, { reading: Reading; wanted: SQL[]; part: TablePart }>();
  for (const { part, where } of [
    { part: "dead" as const, where: dead(outbox) },
    { part: "failed" as const, where: failed(outbox) },
  ]) {
    if (where === NEVER) continue;
    const reading = await readingOf(client, ref, part);
    // One wider index may hold both; it is then read once.
    const key = reading.kind === "index" ? toText(reading.access.predicate) : reading.kind;
    const wanted = [...(passes.get(key)?.wanted ?? []), where];
    passes.set(key, { reading, wanted, part });
  }
  for (const { reading, wanted, part } of passes.values()) {
    if (reading.kind === "none") {
      const missing = recommendedIndexes(ref.mapping, ref.partitioned ?? false).find(({ use }) => use === part);
      Object.assign(read, { complete: false, index: missing?.sql ?? null });
      continue;
    }
    const rows = await readFailures(client, ref, { reading, wanted: sql.join(wanted, sql` OR `), part });
    // A row that our records have is counted there.
    read.read += sumOf(rows.filter(({ kept }) => !kept));
    read.complete &&= sumOf(rows) < FAILURES_READ;
    for (const { wanted: isWanted, kept, ...row } of rows) if (isWanted && !kept) read.groups.push(row);
  }
  return read;
}

/** Our records have the row's failure. */
function isKept({ name, storeSide }: OutboxRef, outbox: OutboxTable): SQL<boolean> {
  if (!storeSide) return sql`false`;
  const { outbox: of, messageId: id, fingerprint } = delivery;
  return sql`EXISTS (SELECT FROM ${delivery} WHERE ${of} = ${name} AND ${id} = ${messageId(outbox)} AND ${fingerprint} IS NOT NULL)`;
}

const sumOf = (failures: readonly NativeFailure[]) => failures.reduce((sum, { messages }) => sum + messages, 0);

/** Leading characters of an error that may contain a status, in which each digit counts. */
const STATUS_CHARACTERS = 8;
const ERROR_CHARACTERS = 500;

/** Groups here rather than in the caller: sending and decoding 10,000 rows costs more than reading them. */
async function readFailures(
  client: PoolClient,
  ref: OutboxRef,
  { reading, wanted, part }: { reading: Reading; wanted: SQL; part: TablePart },
): Promise<(NativeFailure & { wanted: boolean; kept: boolean })[]> {
  const db = queryOn(client);
  const { columns } = ref.mapping;
  const outbox = outboxTable(ref.mapping);
  const predicate = reading.kind === "index" ? reading.access.predicate : (partBases(ref, part).at(-1) ?? ALWAYS);
  const ordered = reading.kind === "whole" || (reading.kind === "index" && reading.access.ordered);
  const rows = db.select(outbox.every).from(outbox.rows).where(predicate).$dynamic();
  const newest = ordered ? rows.orderBy(sql`${outbox.column(orderColumn(ref.mapping))} DESC`) : rows;
  const failure = db
    .select({
      id: messageId(outbox).as("id"),
      eventType: sql`${textOf(outbox, columns.eventType)}`.as("event_type"),
      aggregateId: sql`${textOf(outbox, columns.aggregateId)}`.as("aggregate_id"),
      error: sql`${shortened(textOf(outbox, columns.lastError), ERROR_CHARACTERS)}`.as("error"),
      isDead: sql`(${dead(outbox)}) IS TRUE`.as("is_dead"),
      isWanted: sql`(${wanted}) IS TRUE`.as("is_wanted"),
      isKept: isKept(ref, outbox).as("is_kept"),
    })
    .from(newest.limit(FAILURES_READ).as("t"))
    .as("failure");
  const shape = sql`left(error, ${STATUS_CHARACTERS}) || translate(substr(error, ${STATUS_CHARACTERS + 1}), '123456789', '000000000')`;
  const first = (value: SQL) => sql`(array_agg(${value}))[1]`;
  const query = db
    .select({
      id: first(sql`id`) as SQL<string>,
      eventType: sql<string | null>`event_type`,
      lastError: first(sql`error`) as SQL<string | null>,
      dead: sql<boolean>`is_dead`,
      wanted: sql<boolean>`is_wanted`,
      kept: sql<boolean>`is_kept`,
      messages: sql<number>`count(*)::int`,
      // JSON is parsed faster than an array's text.
      aggregateIds: (columns.aggregateId ? sql`json_agg(aggregate_id)::text` : sql`'[null]'`).mapWith(
        (text): (string | null)[] => JSON.parse(String(text)),
      ),
    })
    .from(failure)
    .groupBy(sql`event_type, is_dead, is_wanted, is_kept, ${shape}`);
  return reading.kind === "index" ? withIndexesOnly(client, () => query) : query;
}
