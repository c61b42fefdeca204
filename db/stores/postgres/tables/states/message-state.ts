import { and, eq, exists, gt, type SQL, type Subquery, sql } from "drizzle-orm";
import { alias, type PgTable, QueryBuilder, type SelectedFields } from "drizzle-orm/pg-core";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { all, NEVER } from "#db/stores/shared/states/conditions.ts";
import { MessageStates } from "#db/stores/shared/states/message-states.ts";
import { dialect, frozen } from "../../connection/dialect.ts";
import type { Database } from "../../connection/query-on.ts";
import { claim, delivery, lease } from "../../own-schema/schema.ts";
import { attemptsShown, attemptsValue, instantOf } from "../column-values.ts";
import { messageId } from "../message-key.ts";
import { type OutboxTable, outboxTable } from "../outbox-table.ts";

/** Delivery row of the message of row `t`. */
export const d = alias(delivery, "d");
export const c = alias(claim, "c");
const l = alias(lease, "l");

const build = new QueryBuilder(dialect);

/** SQL: true if the term of claim `c`'s owner is live. A term has a lease row for each of its partitions. */
export function claimLives(): SQL<boolean> {
  const held = and(eq(l.outbox, c.outbox), eq(l.owner, c.owner), eq(l.epoch, c.epoch));
  const live = build
    .select({ one: sql`1` })
    .from(l)
    .where(and(held, gt(l.until, sql`clock_timestamp()`)));
  return sql`${exists(live)}`;
}

/** `claimed (id, live)`: ids in claims, live and orphaned. */
export function claimed({ name }: OutboxRef) {
  return build.$with("claimed").as(
    build
      .select({ id: sql<string>`unnest(${c.messageIds})`.as("id"), live: claimLives().as("live") })
      .from(c)
      .where(eq(c.outbox, name)),
  );
}

/** The CTEs that the expressions below refer to: none without the store side. */
export function claimedWith(ref: OutboxRef): ReturnType<typeof claimed>[] {
  return ref.storeSide ? [claimed(ref)] : [];
}

/** SQL: the message is in a live claim of our relays, or in one that its relay left behind. Refers to `claimed`. */
export function isClaimed(ref: OutboxRef, how: "live" | "orphaned"): SQL {
  if (!ref.storeSide) return NEVER;
  const id = messageId(outboxTable(ref.mapping));
  return how === "live"
    ? sql`${id} IN (SELECT id FROM claimed WHERE live)`
    : sql`${id} IN (SELECT id FROM claimed WHERE NOT live)`;
}

/** Join condition of row `t` and its delivery row `d`. */
export function onDelivery(ref: OutboxRef, outbox: OutboxTable = outboxTable(ref.mapping)): SQL {
  return all(sql`${d.outbox} = ${ref.name}`, sql`${d.messageId} = ${messageId(outbox)}`);
}

/** A select with these CTEs from a table, or from a subquery in its place. */
export function selectFrom<Fields extends SelectedFields>(
  db: Database,
  ctes: readonly ReturnType<typeof claimed>[],
  fields: Fields,
  from: PgTable | Subquery,
) {
  return db
    .with(...ctes)
    .select(fields)
    .from(from as PgTable)
    .$dynamic();
}

export type RowsQuery<Fields extends SelectedFields> = ReturnType<typeof selectFrom<Fields>>;

/** A select over rows `t` with their delivery rows `d`. `rows`: a subquery `t` in place of the table. */
export function selectRows<Fields extends SelectedFields>(
  db: Database,
  ref: OutboxRef,
  fields: Fields,
  rows?: Subquery | PgTable,
): RowsQuery<Fields> {
  const query = selectFrom(db, claimedWith(ref), fields, rows ?? outboxTable(ref.mapping).rows);
  return ref.storeSide ? (query.leftJoin(d, onDelivery(ref)) as unknown as RowsQuery<Fields>) : query;
}

/** Failed attempts, from the table's own count if it has one. */
export function attemptsOf(ref: OutboxRef): SQL<number | null> {
  const { columns, lifecycle } = ref.mapping;
  const attempts = lifecycle.kind === "log" ? undefined : columns.attempts;
  const native = attempts ? [attemptsShown(outboxTable(ref.mapping), attempts)] : [];
  const known = [...native, ...(ref.storeSide ? [sql`${d.attempts}`] : [])];
  return known.length === 0 ? sql`NULL::int` : sql`coalesce(${sql.join(known, sql`, `)}, 0)`;
}

const states = new MessageStates({
  row: outboxTable,
  delivery: { messageId: sql`${d.messageId}`, deadAt: sql`${d.deadAt}` },
  isClaimed,
  attemptsOf,
  frozen,
});

export const stateOf: MessageStates["stateOf"] = (ref) => states.stateOf(ref);
export const hasFailed: MessageStates["hasFailed"] = (ref) => states.hasFailed(ref);
export const isDead: MessageStates["isDead"] = (ref) => states.isDead(ref);
export const isUnsent: MessageStates["isUnsent"] = (ref) => states.isUnsent(ref);
export const isUnknown: MessageStates["isUnknown"] = (ref) => states.isUnknown(ref);

/**
 * When a message that was never tried becomes due, if its producer says so; null otherwise. With an attempts column the
 * same column also has the time of the next attempt, which schedules nothing: the message was due before.
 */
export function scheduledFor(mapping: OutboxMapping): SQL | null {
  const { availableAt, attempts } = mapping.columns;
  if (!availableAt) return null;
  const outbox = outboxTable(mapping);
  const at = instantOf(outbox, availableAt);
  return attempts ? sql`CASE WHEN ${attemptsValue(outbox, attempts)} = 0 THEN ${at} END` : at;
}

/**
 * When the message became due: its creation, or the time for which its producer scheduled it, if that is later. An
 * operator's retry, which has a delivery row, makes a message no younger.
 */
export function dueSince({ mapping, storeSide }: OutboxRef): SQL {
  const { createdAt, attempts } = mapping.columns;
  if (!createdAt) return sql`NULL::timestamptz`;
  const created = instantOf(outboxTable(mapping), createdAt);
  const scheduled = scheduledFor(mapping);
  if (!scheduled) return created;
  const first = attempts && storeSide ? sql`CASE WHEN ${d.messageId} IS NULL THEN ${scheduled} END` : scheduled;
  return sql`greatest(${created}, ${first})`;
}
