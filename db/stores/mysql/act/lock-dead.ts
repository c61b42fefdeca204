import { and, eq, type SQL, sql } from "drizzle-orm";
import type { MySqlTable } from "drizzle-orm/mysql-core";
import { all, any, grouped, isTrue } from "#db/stores/shared/states/conditions.ts";
import { dead } from "#db/stores/shared/states/state-predicates.ts";
import { keyParameters } from "#db/stores/shared/tables/key-parameters.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { Rows, Session } from "../connection/session.ts";
import { keyIs } from "../read/find-message.ts";
import { isAmong } from "../tables/column-values.ts";
import { forced } from "../tables/mapping-sql.ts";
import { keysOf, messageId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";

const BY_KEY = sql.raw(forced("PRIMARY"));

/**
 * Locks dead letters; those that another session has locked are left out. Index: primary key of dead_letter. READ
 * COMMITTED locks no gap.
 */
export async function lockDeadLetters(session: Session, ref: OutboxRef, ids: readonly string[]): Promise<string[]> {
  const { deadLetter: table } = session.own;
  return first(await session.rows(sql`${select(table, table.messageId)} WHERE ${own(ref, table, ids)} ${SKIPPING}`));
}

/**
 * Locks the table rows and delivery rows of messages that are dead (by the store side or by the table itself) and still
 * in their table. Leaves out messages with a row that another session has locked, and keeps no lock on a row that is
 * not dead. Indexes: primary key of delivery; `keyIndex` of the table. The caller has checked the table.
 */
export async function lockDeadInTable(
  session: Session,
  ref: OutboxRef,
  { ids, keyIndex }: { ids: readonly string[]; keyIndex: string },
): Promise<string[]> {
  if (ids.length === 0) return [];
  const { delivery } = session.own;
  const of = own(ref, delivery, ids);
  // A failed message that is not dead has a next attempt, which a relay may be settling.
  const isOver = sql`(${delivery.deadAt} IS NOT NULL OR ${delivery.nextAttemptAt} IS NULL)`;
  const [locked, known] = await session.script([
    sql`${select(delivery, sql`${delivery.messageId}, ${delivery.deadAt} IS NOT NULL`)} WHERE ${of} AND ${isOver} ${SKIPPING}`,
    sql`${select(delivery, delivery.messageId)} WHERE ${of}`,
  ]);
  const ours = new Set(first(locked?.rows ?? []));
  const others = new Set(first(known?.rows ?? []).filter((id) => !ours.has(id)));
  const besides = (locked?.rows ?? []).flatMap(([id, isDead]) => (id && isDead === "1" ? [id] : []));
  const free = ids.filter((id) => !others.has(id));
  return first(await session.rows(deadRows(ref, { free, besides, keyIndex })));
}

function deadRows(
  { mapping }: OutboxRef,
  { free, besides, keyIndex }: { free: readonly string[]; besides: readonly string[]; keyIndex: string },
): SQL {
  const outbox = outboxTable(mapping);
  const keys = (ids: readonly string[]) =>
    keyIs(mapping, keyParameters(keysOf(mapping, ids), mapping.primaryKey.length));
  const isDead = any(isTrue(grouped(dead(outbox))), keys(besides));
  const from = sql`${outbox.table} ${outbox.rows}${sql.raw(forced(keyIndex))}`;
  return sql`SELECT ${messageId(outbox)} FROM ${from} WHERE ${all(grouped(keys(free)), grouped(isDead))} ${SKIPPING}`;
}

const SKIPPING = sql.raw("FOR UPDATE SKIP LOCKED");

const select = (table: MySqlTable, columns: unknown) => sql`SELECT ${columns} FROM ${table}${BY_KEY}`;

function own(ref: OutboxRef, table: Session["own"]["delivery" | "deadLetter"], ids: readonly string[]): SQL {
  return sql`${and(eq(table.outbox, ref.name), isAmong(table.messageId, ids))}`;
}

const first = (rows: Rows) => rows.flatMap(([id]) => id ?? []);
