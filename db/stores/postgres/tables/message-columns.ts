import { type SQL, sql } from "drizzle-orm";
import { alias, type PgColumn } from "drizzle-orm/pg-core";
import { type MappedColumn, type OutboxMapping, shownStatus } from "#db/stores/port/mapping.ts";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { holdsText } from "#db/stores/port/written-columns.ts";
import type { MovedPlace } from "#db/stores/shared/read/found-message.ts";
import { claimUndated, nativeClaimExpired } from "#db/stores/shared/states/claim-predicates.ts";
import { any, not } from "#db/stores/shared/states/conditions.ts";
import { published } from "#db/stores/shared/states/state-predicates.ts";
import { frozen } from "../connection/dialect.ts";
import { archive, deadLetter, delivery } from "../own-schema/schema.ts";
import { ageOf, instantOf, instantText, instantTextOf, textOf } from "./column-values.ts";
import { aggregateKey, messageId } from "./message-key.ts";
import { type OutboxTable, outboxTable } from "./outbox-table.ts";
import { attemptsOf, d, isClaimed, stateOf } from "./states/message-state.ts";

/** A select list that yields `Row`s. */
export type Selects<Row> = { [Name in keyof Row]: SQL<Row[Name]> };

const ERROR_CHARACTERS = 500;

const NO_TEXT = sql<string | null>`NULL::text`;
const maxAttempts = (value: number | null) => sql<number | null>`${value}::int`;

const selects = new WeakMap<OutboxMapping, Map<string, Selects<MessageRow>>>();

/** Columns of a message whose row `t` is in its table. Cached. */
export function tableRowColumns(ref: OutboxRef): Selects<MessageRow> {
  const known = selects.get(ref.mapping) ?? new Map<string, Selects<MessageRow>>();
  selects.set(ref.mapping, known);
  const key = `${ref.storeSide} ${ref.maxAttempts} ${ref.name}`;
  const columns = known.get(key) ?? frozenAll(rowColumns(ref));
  known.set(key, columns);
  return columns;
}

function frozenAll<Row>(columns: Selects<Row>): Selects<Row> {
  const entries = Object.entries<SQL>(columns).map(([name, value]) => [name, frozen(value)]);
  return Object.fromEntries(entries) as Selects<Row>;
}

/** 0 and 1970 are no times of publication. */
function sentText(outbox: OutboxTable, column: MappedColumn): SQL<string | null> {
  const text = instantTextOf(outbox, column);
  if (!column.hasUnset) return text;
  const at = instantOf(outbox, column);
  return sql`CASE WHEN ${at} > timestamptz '1971-01-01' AND ${at} < timestamptz '9000-01-01' THEN ${text} END`;
}

/** A document or an array of errors without one is no error. */
function errorText(outbox: OutboxTable, column: MappedColumn): SQL {
  const text = textOf(outbox, column);
  return holdsText(column) ? text : sql`nullif(nullif(${text}, '[]'), '{}')`;
}

function rowColumns(ref: OutboxRef): Selects<MessageRow> {
  const { columns, lifecycle } = ref.mapping;
  const outbox = outboxTable(ref.mapping);
  const { rows } = outbox;
  const kept = (column: PgColumn) => (ref.storeSide ? [sql`${column}`] : []);
  const firstOf = (values: readonly SQL[]) =>
    values.length === 0 ? NO_TEXT : sql`coalesce(${sql.join([...values], sql`, `)})`;
  const nextAttempt = [
    ...(columns.availableAt && columns.attempts ? [instantOf(outbox, columns.availableAt)] : []),
    ...kept(d.nextAttemptAt),
  ];
  const lastError = [...kept(d.lastError), ...(columns.lastError ? [errorText(outbox, columns.lastError)] : [])];
  const version = sql<string>`${rows}.xmin::text`;
  return {
    id: messageId(outbox),
    version: ref.storeSide ? sql`${version} || coalesce('.' || ${d}.xmin::text, '')` : version,
    state: stateOf(ref),
    claimExpired: sql`${any(isClaimed(ref, "orphaned"), nativeClaimExpired(outbox))}`,
    claimUndated: sql`${claimUndated(outbox)}`,
    eventType: textOf(outbox, columns.eventType),
    aggregateType: textOf(outbox, columns.aggregateType),
    aggregateId: textOf(outbox, columns.aggregateId),
    createdAt: instantTextOf(outbox, columns.createdAt),
    publishedAt:
      columns.publishedAt?.time && lifecycle.kind !== "flag" ? sentText(outbox, columns.publishedAt) : NO_TEXT,
    availableAt: instantTextOf(outbox, columns.availableAt),
    ageSeconds: ageOf(columns.createdAt ? instantOf(outbox, columns.createdAt) : sql`NULL::timestamptz`),
    attempts: attemptsOf(ref),
    maxAttempts: maxAttempts(ref.maxAttempts ?? ref.mapping.deadAttempts),
    nextAttemptAt: nextAttempt.length > 0 ? instantText(firstOf(nextAttempt)) : NO_TEXT,
    lastError: sql`left(${firstOf(lastError)}, ${ERROR_CHARACTERS})`,
    lastErrorCode: ref.storeSide ? sql`${d.lastErrorCode}` : NO_TEXT,
    blockedBy: blockedBy(ref),
    archivedAt: NO_TEXT,
    rawStatus: textOf(outbox, shownStatus(ref.mapping)),
    payloadBytes: sql`NULL::int`,
  };
}

/**
 * Id of the failed message of the same aggregate that this one waits for; a natively dead one has no next attempt and
 * does not count. Uses delivery_aggregate_idx.
 */
function blockedBy(ref: OutboxRef): SQL<string | null> {
  if (!ref.storeSide || !ref.mapping.columns.aggregateId) return NO_TEXT;
  const outbox = outboxTable(ref.mapping);
  const h = alias(delivery, "h");
  return sql`(SELECT ${h.messageId} FROM ${delivery} ${h}
      WHERE ${h.outbox} = ${ref.name} AND ${h.aggregateKey} = ${aggregateKey(outbox)}
        AND ${h.deadAt} IS NULL AND ${h.attempts} > 0 AND ${h.nextAttemptAt} IS NOT NULL
        AND ${h.messageId} <> ${messageId(outbox)} AND ${not(published(outbox))}
      ORDER BY ${h.firstFailedAt} LIMIT 1)`;
}

export const movedTables = { dead_letter: alias(deadLetter, "m"), archive: alias(archive, "m") } as const;

/** Columns of a message that was moved to the dead letters or the archive. */
export function movedRowColumns(ref: OutboxRef, place: MovedPlace): Selects<MessageRow> {
  const m = movedTables[place];
  const archived = place === "archive" ? movedTables.archive : null;
  const at = (column: PgColumn) => instantText(sql`${column}`);
  return {
    id: sql`${m.messageId}`,
    version: sql`'m' || ${m}.xmin::text`,
    state: archived ? sql`'archived'` : sql`'dead'`,
    claimExpired: sql`false`,
    claimUndated: sql`false`,
    eventType: sql`${m.eventType}`,
    aggregateType: sql`${m.aggregateType}`,
    aggregateId: sql`${m.aggregateId}`,
    createdAt: at(m.createdAt),
    publishedAt: at(m.publishedAt),
    availableAt: NO_TEXT,
    ageSeconds: ageOf(sql`${m.createdAt}`),
    attempts: sql`${m.attempts}`,
    maxAttempts: maxAttempts(ref.maxAttempts),
    nextAttemptAt: NO_TEXT,
    lastError: sql`left(${m.lastError}, ${ERROR_CHARACTERS})`,
    lastErrorCode: sql`${m.lastErrorCode}`,
    blockedBy: NO_TEXT,
    archivedAt: archived ? at(archived.archivedAt) : NO_TEXT,
    rawStatus: archived ? sql`${archived.stateBefore}` : NO_TEXT,
    payloadBytes: sql`${m.payloadBytes}`,
  };
}
