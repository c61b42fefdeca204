import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { FailureGroupRow, NativeFailure } from "#db/stores/port/failure-groups.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { type FailureRead, NOTHING_KEPT } from "#db/stores/shared/read/failures-read.ts";
import { hoursOldestFirst } from "#db/stores/shared/read/new-by-hour.ts";
import { NEVER } from "#db/stores/shared/states/conditions.ts";
import { dead, failed } from "#db/stores/shared/states/state-predicates.ts";
import type { TablePart } from "#db/stores/shared/tables/table-part.ts";
import type { FailureGrouping } from "#domain/message/failure-grouping.ts";
import { toText } from "../connection/dialect.ts";
import type { OwnTables, Session } from "../connection/session.ts";
import { orderBy } from "../plans/find-access.ts";
import { recommendedIndexes } from "../plans/recommended-indexes.ts";
import { deliveryOrder, type Reading, readingOf } from "../plans/table-access.ts";
import { asFlag, asNumber, instantText, NOW, shortened, textOf } from "../tables/column-values.ts";
import { anyPiece, partWhere } from "../tables/index-pieces.ts";
import type { Selects } from "../tables/message-columns.ts";
import { messageId } from "../tables/message-key.ts";
import { type OutboxTable, outboxTable } from "../tables/outbox-table.ts";
import { entriesOf } from "./read-entries.ts";

/** Most messages read per place: in the table, and moved. */
const FAILURES_READ = 10_000;

const KEYS: Record<FailureGrouping, SQL<string>> = {
  text: sql`coalesce(fingerprint, '')`,
  code: sql`coalesce(code, '')`,
  type: sql`coalesce(event_type, '')`,
};

/**
 * Failed and dead messages by what they have in common, largest group first; at most 100 groups. Reads only the store
 * side, at most FAILURES_READ per place.
 */
export async function listFailureGroups(
  session: Session,
  ref: OutboxRef,
  by: FailureGrouping,
): Promise<FailureRead<FailureGroupRow>> {
  if (!ref.storeSide) return NOTHING_KEPT;
  const { db, own } = session;
  const failures = db
    .$with("failures", {})
    .as(sql`SELECT f.*, ${newness(by)} AS newness FROM (${failuresOf(own, ref.name)}) f`);
  const newest = (value: SQL) => sql<string>`MAX(CASE WHEN newness = 1 THEN ${value} END)`;
  const eventType = sql`JSON_QUOTE(CONVERT(coalesce(event_type, '') USING utf8mb4)) COLLATE utf8mb4_bin`;
  const fields: Selects<FailureGroupRow & { read: number; most: number }> = {
    key: KEYS[by],
    code: sql`CASE WHEN COUNT(DISTINCT coalesce(code, '')) = 1 THEN MAX(code) END`,
    text: newest(sql`text`),
    eventTypes: sql<string[]>`CONCAT('[', GROUP_CONCAT(DISTINCT ${eventType} SEPARATOR ','), ']')`.mapWith((text) =>
      JSON.parse(String(text)),
    ),
    messages: asNumber(sql`COUNT(*)`),
    failed: asNumber(sql`COUNT(CASE WHEN NOT dead THEN 1 END)`),
    dead: asNumber(sql`COUNT(CASE WHEN dead THEN 1 END)`),
    aggregates: asNumber(sql`COUNT(DISTINCT aggregate)`),
    firstSeenAt: instantText(sql`MIN(first_at)`),
    lastSeenAt: instantText(sql`MAX(last_at)`),
    newByHour: NEW_BY_HOUR,
    sampleId: newest(sql`message_id`),
    read: asNumber(sql`(SELECT COUNT(*) FROM failures)`),
    most: asNumber(sql`(SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM failures GROUP BY place) places)`),
  };
  const rows = await db
    .with(failures)
    .select(fields)
    .from(sql`failures`)
    .groupBy(KEYS[by])
    .orderBy(sql`COUNT(*) DESC`, KEYS[by])
    .limit(100);
  const { read = 0, most = 0 } = rows[0] ?? {};
  const groups = rows.map(({ read: _, most: __, ...group }) => group);
  return { groups, read, complete: most < FAILURES_READ, index: null };
}

/** New messages of each hour; null if the first failure of one has no time. */
const NEW_BY_HOUR: SQL<number[] | null> = sql`CASE WHEN COUNT(first_at) = COUNT(*) THEN CONCAT_WS(',', ${sql.join(
  hoursOldestFirst().map((ago) => sql`COUNT(CASE WHEN hours_ago = ${sql.raw(String(ago))} THEN 1 END)`),
  sql`, `,
)}) END`.mapWith((text) => String(text).split(",").map(Number));

/** The place of a failure among those of its group, the newest first. */
const newness = (by: FailureGrouping) =>
  sql`ROW_NUMBER() OVER (PARTITION BY ${KEYS[by]} ORDER BY last_at DESC, message_id)`;

/**
 * The newest failures in the store side: of messages in their table, and dead letters. Index: delivery_newest_idx,
 * dead_letter_time_idx.
 */
function failuresOf({ delivery, deadLetter }: OwnTables, outbox: string): SQL {
  const common = (table: typeof delivery | typeof deadLetter) =>
    sql`${table.fingerprint}, ${table.lastErrorCode} AS code, ${table.lastError} AS text, ${table.eventType}, ${table.firstFailedAt} AS first_at,
      GREATEST(0, TIMESTAMPDIFF(HOUR, ${table.firstFailedAt}, ${NOW})) AS hours_ago,
      ${table.lastFailedAt} AS last_at, ${table.messageId}`;
  const most = sql.raw(String(FAILURES_READ));
  const aggregate = sql`CONCAT(coalesce(CONCAT(${deadLetter.aggregateType}, '/'), ''), ${deadLetter.aggregateId})`;
  return sql`(SELECT 1 AS place, ${common(delivery)}, ${delivery.aggregateKey} AS aggregate, ${delivery.deadAt} IS NOT NULL AS dead
      FROM ${delivery} WHERE ${and(eq(delivery.outbox, outbox), isNotNull(delivery.fingerprint))}
      ORDER BY ${delivery.lastFailedAt} DESC LIMIT ${most})
    UNION ALL (SELECT 2, ${common(deadLetter)}, ${aggregate}, true
      FROM ${deadLetter} WHERE ${eq(deadLetter.outbox, outbox)} ORDER BY ${deadLetter.deadAt} DESC LIMIT ${most})`;
}

/** The newest failed and dead rows by the table alone, with its own error texts; the caller groups them. */
export async function listNativeFailures(session: Session, ref: OutboxRef): Promise<FailureRead<NativeFailure>> {
  const read: FailureRead<NativeFailure> = { groups: [], read: 0, complete: true, index: null };
  const outbox = outboxTable(ref.mapping);
  const passes = new Map<string, { reading: Reading; wanted: SQL[]; part: TablePart }>();
  for (const { part, where } of [
    { part: "dead" as const, where: dead(outbox) },
    { part: "failed" as const, where: failed(outbox) },
  ]) {
    if (where === NEVER) continue;
    const reading = await readingOf(session, ref, part);
    // One wider index may hold both; it is then read once.
    const key = reading.kind === "index" ? toText(anyPiece(reading.access.pieces)) : reading.kind;
    const wanted = [...(passes.get(key)?.wanted ?? []), where];
    passes.set(key, { reading, wanted, part });
  }
  for (const { reading, wanted, part } of passes.values()) {
    if (reading.kind === "none") {
      const missing = recommendedIndexes(ref.mapping).find(({ use }) => use === part);
      Object.assign(read, { complete: false, index: missing?.sql ?? null });
      continue;
    }
    const rows = await readFailures(session, ref, { reading, wanted: sql.join(wanted, sql` OR `), part });
    // A row that our records have is counted there.
    read.read += rows.filter(({ kept }) => !kept).length;
    read.complete &&= rows.length < FAILURES_READ;
    for (const { wanted: isWanted, kept, aggregateId, ...row } of rows)
      if (isWanted && !kept) read.groups.push({ ...row, messages: 1, aggregateIds: [aggregateId] });
  }
  return read;
}

/** Our records have the row's failure. */
function isKept({ delivery }: OwnTables, { name, storeSide }: OutboxRef, outbox: OutboxTable): SQL {
  if (!storeSide) return sql`false`;
  const { outbox: of, messageId: id, fingerprint } = delivery;
  return sql`EXISTS (SELECT 1 FROM ${delivery} WHERE ${of} = ${name} AND ${id} = ${messageId(outbox)} AND ${fingerprint} IS NOT NULL)`;
}

type FailedRow = Omit<NativeFailure, "messages" | "aggregateIds"> & { aggregateId: string | null };

/** Selects few columns: sending and decoding costs more than reading. */
async function readFailures(
  { db, own }: Session,
  ref: OutboxRef,
  { reading, wanted, part }: { reading: Reading; wanted: SQL; part: TablePart },
): Promise<(FailedRow & { wanted: boolean; kept: boolean })[]> {
  const { columns } = ref.mapping;
  const outbox = outboxTable(ref.mapping);
  const newest = { ...deliveryOrder(ref), descending: true };
  const query = db
    .select({
      id: messageId(outbox),
      eventType: textOf(outbox, columns.eventType),
      aggregateId: textOf(outbox, columns.aggregateId),
      lastError: shortened(textOf(outbox, columns.lastError), 500),
      dead: asFlag(sql`coalesce(${dead(outbox)}, false)`),
      wanted: asFlag(sql`coalesce(${wanted}, false)`),
      kept: asFlag(isKept(own, ref, outbox)),
    })
    .from(entriesOf(ref, reading, { order: newest, budget: FAILURES_READ }))
    .$dynamic();
  const rows = reading.kind === "index" ? query : query.where(partWhere(outbox, part));
  return rows.orderBy(orderBy(outbox, newest)).limit(FAILURES_READ);
}
