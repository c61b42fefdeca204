import { type SQL, sql } from "drizzle-orm";
import { alias, type MySqlColumn } from "drizzle-orm/mysql-core";
import { type MappedColumn, type OutboxMapping, shownStatus } from "#db/stores/port/mapping.ts";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { holdsText } from "#db/stores/port/written-columns.ts";
import type { MovedPlace } from "#db/stores/shared/read/found-message.ts";
import { claimUndated, nativeClaimExpired } from "#db/stores/shared/states/claim-predicates.ts";
import { any, not } from "#db/stores/shared/states/conditions.ts";
import { published } from "#db/stores/shared/states/state-predicates.ts";
import { frozen } from "../connection/dialect.ts";
import type { OwnTables } from "../connection/session.ts";
import { ageSeconds, asFlag, asNumber, exact, instantOf, instantText, instantTextOf, textOf } from "./column-values.ts";
import { forced } from "./mapping-sql.ts";
import { aggregateKey, messageId } from "./message-key.ts";
import { type OutboxTable, outboxTable } from "./outbox-table.ts";
import { anyOwn, attemptsOf, d, isClaimed, stateOf } from "./states/message-state.ts";

/** A select list that yields `Row`s. */
export type Selects<Row> = { [Name in keyof Row]: SQL<Row[Name]> };

const ERROR_CHARACTERS = 500;

const NO_TEXT = sql<string | null>`NULL`;
const NO_NUMBER = sql<number | null>`NULL`;

const numberOf = (value: number | null) => (value === null ? NO_NUMBER : asNumber(sql.raw(String(value))));

const selects = new WeakMap<OutboxMapping, Map<string, Selects<MessageRow>>>();

/** Columns of a message whose row `t` is in its table. Cached. */
export function tableRowColumns(own: OwnTables, ref: OutboxRef): Selects<MessageRow> {
  const known = selects.get(ref.mapping) ?? new Map<string, Selects<MessageRow>>();
  selects.set(ref.mapping, known);
  const key = JSON.stringify([own.place, ref.storeSide, ref.maxAttempts, ref.name]);
  const columns = known.get(key) ?? frozenAll(rowColumns(own, ref));
  known.set(key, columns);
  return columns;
}

/** Rendered once; the decoders stay. */
function frozenAll<Row>(columns: Selects<Row>): Selects<Row> {
  const entries = Object.entries<SQL>(columns).map(([name, value]) => [name, frozen(value).mapWith(decoderOf(value))]);
  return Object.fromEntries(entries) as Selects<Row>;
}

function decoderOf(value: SQL) {
  return (value as unknown as { decoder: Parameters<SQL["mapWith"]>[0] }).decoder;
}

/** 0 and 1970 are no times of publication. */
function sentText(outbox: OutboxTable, column: MappedColumn): SQL<string | null> {
  const text = instantTextOf(outbox, column);
  if (!column.hasUnset) return text;
  const at = instantOf(outbox, column);
  return sql`CASE WHEN ${at} > TIMESTAMP '1971-01-01 00:00:00' AND ${at} < TIMESTAMP '9000-01-01 00:00:00' THEN ${text} END`;
}

/** An empty document or an empty array of errors means "no error". */
function errorText(outbox: OutboxTable, column: MappedColumn): SQL {
  const text = textOf(outbox, column);
  return holdsText(column) ? text : sql`nullif(nullif(${text}, '[]'), '{}')`;
}

function rowColumns(own: OwnTables, ref: OutboxRef): Selects<MessageRow> {
  const { columns, lifecycle } = ref.mapping;
  const outbox = outboxTable(ref.mapping);
  const kept = (column: MySqlColumn) => (ref.storeSide ? [sql`${column}`] : []);
  const firstOf = (values: readonly SQL[]) =>
    values.length === 0 ? NO_TEXT : sql`coalesce(${sql.join([...values], sql`, `)})`;
  const nextAttempt = [
    ...(columns.availableAt && columns.attempts ? [instantOf(outbox, columns.availableAt)] : []),
    ...kept(d.nextAttemptAt),
  ];
  const lastError = [...kept(d.lastError), ...(columns.lastError ? [errorText(outbox, columns.lastError)] : [])];
  return {
    id: messageId(outbox),
    version: versionOf(own, ref),
    state: stateOf(ref),
    claimExpired: asFlag(any(isClaimed(ref, "orphaned"), nativeClaimExpired(outbox))),
    claimUndated: asFlag(claimUndated(outbox)),
    eventType: textOf(outbox, columns.eventType),
    aggregateType: textOf(outbox, columns.aggregateType),
    aggregateId: textOf(outbox, columns.aggregateId),
    createdAt: instantTextOf(outbox, columns.createdAt),
    publishedAt:
      columns.publishedAt?.time && lifecycle.kind !== "flag" ? sentText(outbox, columns.publishedAt) : NO_TEXT,
    availableAt: instantTextOf(outbox, columns.availableAt),
    ageSeconds: columns.createdAt ? ageSeconds(instantOf(outbox, columns.createdAt)) : NO_NUMBER,
    attempts: attemptsOf(ref),
    maxAttempts: numberOf(ref.maxAttempts ?? ref.mapping.deadAttempts),
    nextAttemptAt: nextAttempt.length > 0 ? instantText(firstOf(nextAttempt)) : NO_TEXT,
    lastError: sql`LEFT(${firstOf(lastError)}, ${ERROR_CHARACTERS})`,
    lastErrorCode: ref.storeSide ? sql`${d.lastErrorCode}` : NO_TEXT,
    blockedBy: blockedBy(own, ref),
    archivedAt: NO_TEXT,
    rawStatus: textOf(outbox, shownStatus(ref.mapping)),
    payloadBytes: NO_NUMBER,
  };
}

/**
 * A digest of the row's mapped columns and of our records about it; InnoDB shows no version of a row. The payload and
 * the headers are left out, because reading five megabytes for each row of a list costs more than the list.
 */
function versionOf(own: OwnTables, ref: OutboxRef): SQL<string> {
  const outbox = outboxTable(ref.mapping);
  const { payload: _, headers: __, ...columns } = ref.mapping.columns;
  const { lifecycle, primaryKey } = ref.mapping;
  const mapped: MappedColumn[] = [
    ...primaryKey,
    ...Object.values(columns),
    ...("column" in lifecycle ? [lifecycle.column] : []),
  ];
  const named = new Map(mapped.map((column) => [column.name, textOf(outbox, column)]));
  const texts = [...named.values(), ...(ref.storeSide ? [sql`${d.changedAt}`, restoredAt(own, ref)] : [])];
  const quoted = texts.map((text) => sql`QUOTE(${text})`);
  return sql`LEFT(SHA1(CONCAT(${sql.join(quoted, sql`, `)})), 24)`;
}

/** When an operator restored the row, whose bytes may be the same as before. Index: primary key. */
function restoredAt(own: OwnTables, ref: OutboxRef): SQL {
  const r = alias(own.restored, "r");
  const id = exact(messageId(outboxTable(ref.mapping)));
  return sql`(SELECT ${r.changedAt} FROM ${own.restored} ${r} WHERE ${r.outbox} = ${ref.name} AND ${r.messageId} = ${id})`;
}

/** Otherwise the server chooses the index with the order, and reads every failing message for each row. */
export const BY_AGGREGATE = sql.raw(forced("delivery_aggregate_idx"));

/**
 * Id of the failed message of the same aggregate that this one waits for; a natively dead one has no next attempt and
 * does not count. Index: delivery_aggregate_idx.
 */
function blockedBy(own: OwnTables, ref: OutboxRef): SQL<string | null> {
  if (!ref.storeSide || !ref.mapping.columns.aggregateId) return NO_TEXT;
  const outbox = outboxTable(ref.mapping);
  const h = alias(own.delivery, "h");
  return sql`(SELECT ${h.messageId} FROM ${own.delivery} ${h}${BY_AGGREGATE}
      WHERE ${h.outbox} = ${ref.name} AND ${h.aggregateKey} = ${exact(aggregateKey(outbox))}
        AND ${h.deadAt} IS NULL AND ${h.attempts} > 0 AND ${h.nextAttemptAt} IS NOT NULL
        AND ${h.messageId} <> ${exact(messageId(outbox))} AND ${not(published(outbox))}
      ORDER BY ${h.firstFailedAt} LIMIT 1)`;
}

/** The tables of such messages under the alias `m`, for FROM. */
export function movedTables(own: OwnTables) {
  return { dead_letter: alias(own.deadLetter, "m"), archive: alias(own.archive, "m") } as const;
}

/** Their columns, which read the same in every place. */
export const m = movedTables(anyOwn);

/** Columns of a message that was moved to the dead letters or the archive. */
export function movedRowColumns(ref: OutboxRef, place: MovedPlace): Selects<MessageRow> {
  const moved = m[place];
  const archived = place === "archive" ? m.archive : null;
  const at = (column: MySqlColumn) => instantText(sql`${column}`);
  return {
    id: sql`${moved.messageId}`,
    version: sql`CONCAT('m', DATE_FORMAT(${moved.changedAt}, '%Y%m%d%H%i%s%f'))`,
    state: archived ? sql`'archived'` : sql`'dead'`,
    claimExpired: asFlag(sql`false`),
    claimUndated: asFlag(sql`false`),
    eventType: sql`${moved.eventType}`,
    aggregateType: sql`${moved.aggregateType}`,
    aggregateId: sql`${moved.aggregateId}`,
    createdAt: at(moved.createdAt),
    publishedAt: at(moved.publishedAt),
    availableAt: NO_TEXT,
    ageSeconds: ageSeconds(sql`${moved.createdAt}`),
    attempts: asNumber(sql`${moved.attempts}`),
    maxAttempts: numberOf(ref.maxAttempts),
    nextAttemptAt: NO_TEXT,
    lastError: sql`LEFT(${moved.lastError}, ${ERROR_CHARACTERS})`,
    lastErrorCode: sql`${moved.lastErrorCode}`,
    blockedBy: NO_TEXT,
    archivedAt: archived ? at(archived.archivedAt) : NO_TEXT,
    rawStatus: archived ? sql`${archived.stateBefore}` : NO_TEXT,
    payloadBytes: asNumber(sql`${moved.payloadBytes}`),
  };
}
