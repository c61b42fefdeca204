import { and, eq, gt, gte, inArray, isNotNull, isNull, lt, notExists, or, type SQL, sql } from "drizzle-orm";
import { alias, type MySqlColumn } from "drizzle-orm/mysql-core";
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
import type { OwnTables, Session } from "../connection/session.ts";
import { exact, instantParameter, instantText, NOW } from "../tables/column-values.ts";
import { aggregateKey, keyFromId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";

type Delivery = OwnTables["delivery"];
type Pause = OwnTables["pause"];

const ONE = { one: sql`1` };

/** The delivery table under another name. */
export function deliveryAs({ own }: Session, name: string): Delivery {
  return alias(own.delivery, name) as unknown as Delivery;
}

/** Failed messages of aggregates that will be tried again. Index: delivery_failing_idx, delivery_aggregate_idx. */
export function isFailing(row: Delivery, outbox: string): SQL | undefined {
  const tried = and(isNotNull(row.nextAttemptAt), gt(row.attempts, 0), isNotNull(row.firstFailedAt));
  return and(eq(row.outbox, outbox), isNull(row.deadAt), tried, isNotNull(row.aggregateKey));
}

/** Pauses and holds of aggregates that are in force. */
export function withholds(row: Pause, outbox: string): SQL | undefined {
  const lasting = or(isNull(row.until), gt(row.until, NOW));
  return and(eq(row.outbox, outbox), inArray(row.scope, ["aggregate", "hold"]), lasting);
}

function after(bound: BlockBound | null, at: MySqlColumn, id: MySqlColumn): SQL | undefined {
  if (bound === null) return undefined;
  const since = instantParameter(bound.since);
  if (bound.id === null) return gt(at, since);
  return and(gte(at, since), or(gt(at, since), gt(id, bound.id)));
}

/** Condition: no failed message of the aggregate has failed for longer than row `f`. */
export function isLongest(session: Session, f: Delivery, outbox: string): SQL {
  const e = deliveryAs(session, "e");
  const earlier = or(
    lt(e.firstFailedAt, f.firstFailedAt),
    and(eq(e.firstFailedAt, f.firstFailedAt), lt(e.messageId, f.messageId)),
  );
  return notExists(
    session.db
      .select(ONE)
      .from(e)
      .where(and(isFailing(e, outbox), eq(e.aggregateKey, f.aggregateKey), earlier)),
  );
}

/** Each aggregate once, by its oldest reason, in the order of `mergeCandidates`. */
export async function readCandidates(
  session: Session,
  ref: OutboxRef,
  { place, limit }: { place: BlockPlace | null; limit: number },
): Promise<BlockCandidate[]> {
  const failing = await readFailing(session, ref, { bound: boundIn("failing", place), limit });
  const paused = await readPaused(session, ref, { bound: boundIn("paused", place), limit });
  const suspects = await readSuspects(session, ref, { bound: boundIn("suspect", place), limit });
  return mergeCandidates([failing, paused, suspects], limit);
}

interface Part {
  bound: BlockBound | null;
  limit: number;
}

async function readFailing(session: Session, { name }: OutboxRef, { bound, limit }: Part): Promise<BlockCandidate[]> {
  const { db, own } = session;
  const f = deliveryAs(session, "f");
  const { pause } = own;
  const pausedBefore = db
    .select(ONE)
    .from(pause)
    .where(and(withholds(pause, name), eq(pause.subject, f.aggregateKey), lt(pause.at, f.firstFailedAt)));
  const place = after(bound, f.firstFailedAt, f.messageId);
  const rows = await db
    .select({ aggregateKey: f.aggregateKey, since: f.firstFailedAt, headId: f.messageId })
    .from(f)
    .where(and(isFailing(f, name), place, isLongest(session, f, name), notExists(pausedBefore)))
    .orderBy(f.firstFailedAt, f.messageId)
    .limit(limit);
  return rows.map(({ aggregateKey: key, since, headId }) => ({
    aggregateKey: key ?? "",
    ...{ kind: "failing", since: since ?? "", headId, id: placeIn("failing", headId) },
  }));
}

/** Index: pause_since_idx. */
async function readPaused(
  { db, own }: Session,
  { name }: OutboxRef,
  { bound, limit }: Part,
): Promise<BlockCandidate[]> {
  const { delivery } = own;
  const p = alias(own.pause, "p") as unknown as Pause;
  const other = alias(own.pause, "o") as unknown as Pause;
  const heldBefore = db
    .select(ONE)
    .from(other)
    .where(
      and(
        withholds(other, name),
        eq(other.subject, p.subject),
        or(lt(other.at, p.at), and(eq(other.at, p.at), gt(other.scope, p.scope))),
      ),
    );
  const failedBefore = db
    .select(ONE)
    .from(delivery)
    .where(
      and(isFailing(delivery, name), eq(delivery.aggregateKey, p.subject), sql`${delivery.firstFailedAt} <= ${p.at}`),
    );
  const rows = await db
    .select({
      aggregateKey: p.subject,
      kind: sql<BlockKind>`CASE ${p.scope} WHEN 'hold' THEN 'held' ELSE 'paused' END`,
      since: p.at,
      headId: p.messageId,
    })
    .from(p)
    .where(and(withholds(p, name), after(bound, p.at, p.subject), notExists(heldBefore), notExists(failedBefore)))
    .orderBy(p.at, p.subject)
    .limit(limit);
  return rows.map((row) => ({ ...row, id: placeIn("paused", row.aggregateKey) }));
}

/**
 * The first quarantined message of each aggregate that is not blocked anyway. Index: primary keys of suspect and table.
 */
async function readSuspects(session: Session, ref: OutboxRef, { bound, limit }: Part): Promise<BlockCandidate[]> {
  const { db, own } = session;
  const { suspect, pause, delivery } = own;
  const row = outboxTable(ref.mapping);
  const isolated = and(eq(suspect.outbox, ref.name), sql`${suspect.orphaned} >= ${ORPHANED_TO_ISOLATE}`);
  const some = await db.select(ONE).from(suspect).where(isolated).limit(1);
  if (some.length === 0) return [];
  const key = exact(aggregateKey(row));
  const of = db
    .select({
      key: sql<string>`${key}`.as("agg"),
      at: sql`${suspect.at}`.as("since"),
      id: sql<string>`${suspect.messageId}`.as("id"),
      nth: sql`ROW_NUMBER() OVER (PARTITION BY ${key} ORDER BY ${suspect.at}, ${suspect.messageId})`.as("nth"),
    })
    .from(suspect)
    .innerJoin(row.rows, keyFromId(row, sql`${suspect.messageId}`))
    .where(and(isolated, unsent(row), sql`${key} IS NOT NULL`))
    .as("s");
  const paused = db
    .select(ONE)
    .from(pause)
    .where(and(withholds(pause, ref.name), sql`${pause.subject} = s.agg`));
  const failing = db
    .select(ONE)
    .from(delivery)
    .where(and(isFailing(delivery, ref.name), sql`${delivery.aggregateKey} = s.agg`));
  const found = await db
    .select({ aggregateKey: of.key, since: instantText(sql`since`) as SQL<string>, headId: of.id })
    .from(of)
    .where(and(sql`nth = 1`, suspectsAfter(bound), notExists(paused), notExists(failing)))
    .orderBy(sql`since, id`)
    .limit(limit);
  return found.map((one) => ({ ...one, kind: "suspect", id: placeIn("suspect", one.headId) }));
}

function suspectsAfter(bound: BlockBound | null): SQL | undefined {
  if (bound === null) return undefined;
  const since = instantParameter(bound.since);
  if (bound.id === null) return sql`since > ${since}`;
  return sql`(since > ${since} OR (since = ${since} AND id > ${exact(sql`${bound.id}`)}))`;
}
