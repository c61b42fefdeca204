import { and, eq, gt, gte, inArray, isNotNull, isNull, lt, notExists, or, type SQL, sql } from "drizzle-orm";
import { alias, type PgColumn } from "drizzle-orm/pg-core";
import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import {
  type BlockBound,
  type BlockCandidate,
  type BlockPlace,
  boundIn,
  mergeCandidates,
  placeIn,
} from "#db/stores/shared/read/blocked-page.ts";
import { ORPHANED_TO_ISOLATE } from "#db/stores/shared/relay/quarantine.ts";
import { unsent } from "#db/stores/shared/states/state-predicates.ts";
import type { BlockKind } from "#domain/message/blocked-aggregate.ts";
import { queryOn } from "../connection/query-on.ts";
import { delivery, pause, suspect } from "../own-schema/schema.ts";
import { instantText } from "../tables/column-values.ts";
import { aggregateKey, keyFromId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";

type Delivery = typeof delivery;
type Pause = typeof pause;

/** The delivery table under another name. */
export function deliveryAs(name: string): Delivery {
  return alias(delivery, name) as unknown as Delivery;
}

/** Failed messages of aggregates that will be tried again. Index: delivery_failing_idx, delivery_aggregate_idx. */
export function isFailing(row: Delivery, outbox: string): SQL | undefined {
  const tried = and(isNotNull(row.nextAttemptAt), gt(row.attempts, 0), isNotNull(row.firstFailedAt));
  return and(eq(row.outbox, outbox), isNull(row.deadAt), tried, isNotNull(row.aggregateKey));
}

/** Pauses and holds of aggregates that are in force. */
export function withholds(row: Pause, outbox: string): SQL | undefined {
  const lasting = or(isNull(row.until), gt(row.until, sql`clock_timestamp()`));
  return and(eq(row.outbox, outbox), inArray(row.scope, ["aggregate", "hold"]), lasting);
}

/** In byte order, so that a page ends at the same place under every database collation. */
const bytes = (column: PgColumn): SQL => sql`${column} COLLATE "C"`;

function after(bound: BlockBound | null, at: PgColumn, id: PgColumn): SQL | undefined {
  if (bound === null) return undefined;
  const since = sql`${bound.since}::timestamptz`;
  if (bound.id === null) return gt(at, since);
  return and(gte(at, since), or(gt(at, since), sql`${bytes(id)} > ${bound.id}`));
}

/** Condition: no failed message of the aggregate has failed for longer than row `f`. */
export function isLongest(client: PoolClient, f: Delivery, outbox: string): SQL {
  const e = deliveryAs("e");
  const earlier = or(
    lt(e.firstFailedAt, f.firstFailedAt),
    and(eq(e.firstFailedAt, f.firstFailedAt), sql`${bytes(e.messageId)} < ${bytes(f.messageId)}`),
  );
  const one = { one: sql`1` };
  const others = queryOn(client)
    .select(one)
    .from(e)
    .where(and(isFailing(e, outbox), eq(e.aggregateKey, f.aggregateKey), earlier));
  return notExists(others);
}

/** Each aggregate once, by its oldest reason, in the order of `mergeCandidates`. */
export async function readCandidates(
  client: PoolClient,
  ref: OutboxRef,
  { place, limit }: { place: BlockPlace | null; limit: number },
): Promise<BlockCandidate[]> {
  const failing = await readFailing(client, ref, { bound: boundIn("failing", place), limit });
  const paused = await readPaused(client, ref, { bound: boundIn("paused", place), limit });
  const suspects = await readSuspects(client, ref, { bound: boundIn("suspect", place), limit });
  return mergeCandidates([failing, paused, suspects], limit);
}

interface Part {
  bound: BlockBound | null;
  limit: number;
}

async function readFailing(client: PoolClient, { name }: OutboxRef, { bound, limit }: Part): Promise<BlockCandidate[]> {
  const db = queryOn(client);
  const f = deliveryAs("f");
  const pausedBefore = db
    .select({ one: sql`1` })
    .from(pause)
    .where(and(withholds(pause, name), eq(pause.subject, f.aggregateKey), lt(pause.at, f.firstFailedAt)));
  const rows = await db
    .select({
      aggregateKey: sql<string>`${f.aggregateKey}`,
      since: instantText(sql`${f.firstFailedAt}`) as SQL<string>,
      headId: f.messageId,
    })
    .from(f)
    .where(
      and(
        isFailing(f, name),
        after(bound, f.firstFailedAt, f.messageId),
        isLongest(client, f, name),
        notExists(pausedBefore),
      ),
    )
    .orderBy(f.firstFailedAt, bytes(f.messageId))
    .limit(limit);
  return rows.map((row) => ({ ...row, kind: "failing", id: placeIn("failing", row.headId) }));
}

/** Index: pause_since_idx. */
async function readPaused(client: PoolClient, { name }: OutboxRef, { bound, limit }: Part): Promise<BlockCandidate[]> {
  const db = queryOn(client);
  const p = alias(pause, "p") as unknown as Pause;
  const other = alias(pause, "o") as unknown as Pause;
  const one = { one: sql`1` };
  const heldBefore = db
    .select(one)
    .from(other)
    .where(
      and(
        withholds(other, name),
        eq(other.subject, p.subject),
        or(lt(other.at, p.at), and(eq(other.at, p.at), gt(other.scope, p.scope))),
      ),
    );
  const failedBefore = db
    .select(one)
    .from(delivery)
    .where(
      and(isFailing(delivery, name), eq(delivery.aggregateKey, p.subject), sql`${delivery.firstFailedAt} <= ${p.at}`),
    );
  const rows = await db
    .select({
      aggregateKey: p.subject,
      kind: sql<BlockKind>`CASE ${p.scope} WHEN 'hold' THEN 'held' ELSE 'paused' END`,
      since: instantText(sql`${p.at}`) as SQL<string>,
      headId: p.messageId,
    })
    .from(p)
    .where(and(withholds(p, name), after(bound, p.at, p.subject), notExists(heldBefore), notExists(failedBefore)))
    .orderBy(p.at, bytes(p.subject))
    .limit(limit);
  return rows.map((row) => ({ ...row, id: placeIn("paused", row.aggregateKey) }));
}

/**
 * The first quarantined message of each aggregate that is not blocked anyway. Index: primary keys of suspect and table.
 */
async function readSuspects(client: PoolClient, ref: OutboxRef, { bound, limit }: Part): Promise<BlockCandidate[]> {
  const db = queryOn(client);
  const row = outboxTable(ref.mapping);
  const isolated = and(eq(suspect.outbox, ref.name), sql`${suspect.orphaned} >= ${ORPHANED_TO_ISOLATE}`);
  const some = await db.select({ one: sql`1` }).from(suspect).where(isolated).limit(1);
  if (some.length === 0) return [];
  const key = aggregateKey(row);
  const first = db.$with("first").as(
    db
      .selectDistinctOn([key], {
        key: sql<string>`${key}`.as("key"),
        at: sql`${suspect.at}`.as("at"),
        id: sql<string>`${suspect.messageId}`.as("id"),
      })
      .from(suspect)
      .innerJoin(row.rows, keyFromId(row, sql`${suspect.messageId}`))
      .where(and(isolated, unsent(row), sql`${key} IS NOT NULL`))
      .orderBy(key, suspect.at, bytes(suspect.messageId)),
  );
  const paused = db
    .select({ one: sql`1` })
    .from(pause)
    .where(and(withholds(pause, ref.name), sql`${pause.subject} = key`));
  const failing = db
    .select({ one: sql`1` })
    .from(delivery)
    .where(and(isFailing(delivery, ref.name), sql`${delivery.aggregateKey} = key`));
  const found = await db
    .with(first)
    .select({ aggregateKey: first.key, since: instantText(sql`at`) as SQL<string>, headId: first.id })
    .from(first)
    .where(and(suspectsAfter(bound), notExists(paused), notExists(failing)))
    .orderBy(sql`at, id COLLATE "C"`)
    .limit(limit);
  return found.map((one) => ({ ...one, kind: "suspect", id: placeIn("suspect", one.headId) }));
}

function suspectsAfter(bound: BlockBound | null): SQL | undefined {
  if (bound === null) return undefined;
  const since = sql`${bound.since}::timestamptz`;
  if (bound.id === null) return sql`at > ${since}`;
  return sql`(at > ${since} OR (at = ${since} AND id COLLATE "C" > ${bound.id}))`;
}
