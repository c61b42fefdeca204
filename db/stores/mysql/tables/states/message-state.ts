import { and, eq, exists, gt, type SQL, type Subquery, sql } from "drizzle-orm";
import { alias, type MySqlTable, QueryBuilder, type SelectedFields } from "drizzle-orm/mysql-core";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { all, NEVER } from "#db/stores/shared/states/conditions.ts";
import { MessageStates } from "#db/stores/shared/states/message-states.ts";
import { dialect, frozen } from "../../connection/dialect.ts";
import { DEFAULT_OWN_DATABASE } from "../../connection/own-place.ts";
import type { OwnTables, Session } from "../../connection/session.ts";
import { ID_BYTES } from "../../own-schema/column-types.ts";
import { ownTables } from "../../own-schema/schema.ts";
import { asFlag, asNumber, attemptsValue, deadlineOf, exact, instantOf, NOW } from "../column-values.ts";
import { messageId } from "../message-key.ts";
import { type OutboxTable, outboxTable } from "../outbox-table.ts";

/** The store side wherever it is: for columns under an alias, which read the same in every place. */
export const anyOwn = ownTables({ database: DEFAULT_OWN_DATABASE });

/** Columns of the delivery row of the message of row `t`. In FROM it is `deliveryOf`. */
export const d = alias(anyOwn.delivery, "d");
/** Columns of a claim. In FROM it is `claimOf`. */
export const c = alias(anyOwn.claim, "c");
const l = alias(anyOwn.lease, "l");

export const deliveryOf = (own: OwnTables) => alias(own.delivery, "d");
export const claimOf = (own: OwnTables) => alias(own.claim, "c");

const build = new QueryBuilder(dialect);

/** SQL: true if the term of claim `c`'s owner is live. A term has a lease row for each of its partitions. */
export function claimLives(own: OwnTables): SQL<boolean> {
  const held = and(eq(l.outbox, c.outbox), eq(l.owner, c.owner), eq(l.epoch, c.epoch));
  const live = build
    .select({ one: sql`1` })
    .from(alias(own.lease, "l"))
    .where(and(held, gt(l.until, NOW)));
  return asFlag(exists(live));
}

/** A digest of an id, short enough that the server searches a temporary table by it: ids have up to 2,800 bytes. */
export function digestOf(id: SQL): SQL {
  return sql`CAST(UNHEX(SHA1(${id})) AS BINARY(20))`;
}

/** `claimed (id, digest, live)`: ids in claims, live and orphaned. */
export function claimed(own: OwnTables, { name }: OutboxRef) {
  const ids = sql.raw(`'$[*]' COLUMNS (id VARBINARY(${ID_BYTES}) PATH '$')`);
  const unpacked = sql`${own.claim} ${c} JOIN JSON_TABLE(${c.messageIds}, ${ids}) j`;
  return build.$with("claimed").as(
    build
      .select({
        id: sql<string>`j.id`.as("id"),
        digest: digestOf(sql`j.id`).as("digest"),
        live: claimLives(own).as("live"),
      })
      .from(unpacked)
      .where(eq(c.outbox, name)),
  );
}

/** The CTEs that the expressions below refer to: none without the store side. */
export function claimedWith(own: OwnTables, ref: OutboxRef): ReturnType<typeof claimed>[] {
  return ref.storeSide ? [claimed(own, ref)] : [];
}

/** SQL: the message is in a live claim of our relays, or in one that its relay left behind. Refers to `claimed`. */
export function isClaimed(ref: OutboxRef, how: "live" | "orphaned"): SQL {
  if (!ref.storeSide) return NEVER;
  const digest = digestOf(messageId(outboxTable(ref.mapping)));
  return how === "live"
    ? sql`${digest} IN (SELECT digest FROM claimed WHERE live)`
    : sql`${digest} IN (SELECT digest FROM claimed WHERE NOT live)`;
}

/** Join condition of row `t` and its delivery row `d`. */
function onDelivery(ref: OutboxRef, outbox: OutboxTable = outboxTable(ref.mapping)): SQL {
  return all(sql`${d.outbox} = ${ref.name}`, sql`${d.messageId} = ${exact(messageId(outbox))}`);
}

/** A select with these CTEs from a table, from a subquery in its place, or from a join as SQL. */
export function selectFrom<Fields extends SelectedFields>(
  { db }: Pick<Session, "db">,
  ctes: readonly ReturnType<typeof claimed>[],
  fields: Fields,
  from: MySqlTable | Subquery | SQL,
) {
  return db
    .with(...ctes)
    .select(fields)
    .from(from as MySqlTable)
    .$dynamic();
}

export type RowsQuery<Fields extends SelectedFields> = ReturnType<typeof selectFrom<Fields>>;

/** A select over rows `t` with their delivery rows `d`. `rows`: a source of rows `t` in place of the table. */
export function selectRows<Fields extends SelectedFields>(
  session: Pick<Session, "db" | "own">,
  ref: OutboxRef,
  fields: Fields,
  rows?: MySqlTable | SQL,
): RowsQuery<Fields> {
  const { own } = session;
  const query = selectFrom(session, claimedWith(own, ref), fields, rows ?? outboxTable(ref.mapping).rows);
  return ref.storeSide ? (query.leftJoin(deliveryOf(own), onDelivery(ref)) as unknown as RowsQuery<Fields>) : query;
}

/** Failed attempts, from the table's own count if it has one. */
export function attemptsOf(ref: OutboxRef): SQL<number | null> {
  const { columns, lifecycle } = ref.mapping;
  const attempts = lifecycle.kind === "log" ? undefined : columns.attempts;
  const native = attempts ? [sql`${outboxTable(ref.mapping).column(attempts)}`] : [];
  const known = [...native, ...(ref.storeSide ? [sql`${d.attempts}`] : [])];
  return known.length === 0 ? sql`NULL` : asNumber(sql`coalesce(${sql.join(known, sql`, `)}, 0)`);
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
  const at = deadlineOf(outbox, availableAt);
  return attempts ? sql`CASE WHEN ${attemptsValue(outbox, attempts)} = 0 THEN ${at} END` : at;
}

/**
 * When the message became due: its creation, or the time for which its producer scheduled it, if that is later. An
 * operator's retry, which has a delivery row, makes a message no younger.
 */
export function dueSince({ mapping, storeSide }: OutboxRef): SQL {
  const { createdAt, attempts } = mapping.columns;
  if (!createdAt) return sql`NULL`;
  const created = instantOf(outboxTable(mapping), createdAt);
  const scheduled = scheduledFor(mapping);
  if (!scheduled) return created;
  const first = attempts && storeSide ? sql`CASE WHEN ${d.messageId} IS NULL THEN ${scheduled} END` : scheduled;
  // GREATEST of anything and null is null.
  return sql`GREATEST(coalesce(${created}, ${first}), coalesce(${first}, ${created}))`;
}
