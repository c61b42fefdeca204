import { and, desc, eq, inArray, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { type OperationRow, toBulk } from "#db/stores/shared/own-tables/bulk-row.ts";
import { BULK_STATES, type BulkState, isEnded, WORKING_STATES } from "#domain/message/bulk-operation.ts";
import type { Role } from "#domain/operator.ts";
import type { BulkLease, BulkRecords, BulkRow, ListedOperation } from "../../port/bulk-records.ts";
import type { Pool } from "../connection/pool.ts";
import type { OwnTables, Session } from "../connection/session.ts";
import { withWriteTransaction } from "../connection/transaction.ts";
import { asFlag, NOW } from "../tables/column-values.ts";
import { afterDeadlock } from "./after-deadlock.ts";
import { insertOperation } from "./operations.ts";
import { writeAudit } from "./write-audit.ts";

/** Most operations that a runner reads: more of them can be held at once only by as many runners. */
const LOOKED_AT = 100;

const later = (ms: number) => sql`${NOW} + INTERVAL ${ms * 1000} MICROSECOND`;

const columns = ({ operation }: OwnTables) => ({
  id: operation.id,
  outbox: operation.outbox,
  at: operation.at,
  action: operation.action,
  actor: operation.actor,
  role: sql<Role>`${operation.role}`,
  reason: operation.reason,
  requestHash: operation.requestHash,
  result: operation.result,
  state: sql<BulkState | null>`${operation.state}`,
  plan: operation.plan,
  progress: operation.progress,
  fence: operation.fence,
  runner: operation.runner,
  heartbeatAt: operation.heartbeatAt,
  alive: asFlag(sql`coalesce(${operation.runnerUntil} > ${NOW}, 0)`),
  endedAt: operation.endedAt,
});

async function selectBy({ db, own }: Session, condition: SQL | undefined): Promise<OperationRow | undefined> {
  const [row] = await db.select(columns(own)).from(own.operation).where(condition);
  return row;
}

/** Race: of two with one key the second waits for the first to commit, at most 1 s, and then finds it. */
export function beginBulk(pool: Pool, input: Parameters<BulkRecords["begin"]>[0]): ReturnType<BulkRecords["begin"]> {
  const { plan, detail, ...operation } = input;
  return inTransaction(pool, async (session) => {
    const isNew = await insertOperation(session, operation, { plan, state: "selecting" });
    const { actor, outbox, reason, id: operationId } = operation;
    const action = `operation.${operation.action}`;
    if (isNew) await writeAudit(session, { actor, action, outbox, operationId, outcome: "done", reason, detail });
    const { own } = session;
    const row = await selectBy(
      session,
      isNew
        ? eq(own.operation.id, input.id)
        : and(eq(own.operation.actor, actor.name), eq(own.operation.idempotencyKey, input.idempotencyKey ?? "")),
    );
    if (!row) throw new Error("An operation vanished between two statements.");
    return { bulk: toBulk(row), isNew, requestHash: row.requestHash, id: row.id };
  });
}

/** Null if there is none with this id, or if it ran within its request. */
export async function readBulk(session: Session, id: string): Promise<BulkRow | null> {
  return toBulk(await selectBy(session, eq(session.own.operation.id, id)));
}

/** Newest first. */
export async function listOperations(
  { db, own }: Session,
  { outboxes, before, limit }: Parameters<BulkRecords["list"]>[0],
): Promise<ListedOperation[]> {
  const { operation } = own;
  const earlier =
    before === null
      ? undefined
      : or(lt(operation.at, before.at), and(eq(operation.at, before.at), lt(operation.id, before.id)));
  const rows = await db
    .select(columns(own))
    .from(operation)
    .where(and(outboxes === null ? undefined : inArray(operation.outbox, [...outboxes]), earlier))
    .orderBy(desc(operation.at), desc(operation.id))
    .limit(limit);
  return rows.map((row) => ({ id: row.id, at: row.at, result: row.result, bulk: toBulk(row) }));
}

const UNENDED: readonly BulkState[] = BULK_STATES.filter((state) => !isEnded(state));

/** Newest first. Uses operation_open_idx. */
export async function listUnended(
  { db, own }: Session,
  { outboxes, limit }: Parameters<BulkRecords["unended"]>[0],
): Promise<BulkRow[]> {
  const { operation } = own;
  const rows = await db
    .select(columns(own))
    .from(operation)
    .where(
      and(
        inArray(operation.state, [...UNENDED]),
        outboxes === null ? undefined : inArray(operation.outbox, [...outboxes]),
      ),
    )
    .orderBy(desc(operation.at), desc(operation.id))
    .limit(limit);
  return rows.flatMap((row) => toBulk(row) ?? []);
}

/** Race: two runners find the same operation; the second's UPDATE no longer finds it free. */
export function takeBulk(pool: Pool, runner: string, leaseMs: number): Promise<BulkRow | null> {
  return inTransaction(pool, async (session) => {
    const { db, own } = session;
    const { operation } = own;
    const isOver = or(isNull(operation.runnerUntil), lt(operation.runnerUntil, NOW));
    const isFree = and(inArray(operation.state, [...WORKING_STATES]), isOver);
    const free = await db
      .select({ id: operation.id })
      .from(operation)
      .where(isFree)
      .orderBy(operation.at)
      .limit(LOOKED_AT);
    const taken = { runner, runnerUntil: later(leaseMs), heartbeatAt: NOW, fence: sql`${operation.fence} + 1` };
    for (const { id } of free) {
      const take = db
        .update(operation)
        .set(taken)
        .where(and(eq(operation.id, id), isFree));
      if ((await session.run(take)).affectedRows === 1) return readBulk(session, id);
    }
    return null;
  });
}

const fenced = ({ operation }: OwnTables, lease: BulkLease) =>
  and(eq(operation.id, lease.id), eq(operation.fence, lease.fence));

export function saveBulk(
  pool: Pool,
  lease: BulkLease,
  input: Parameters<BulkRecords["save"]>[1],
): Promise<BulkState | null> {
  return inTransaction(pool, async (session) => {
    const { db, own } = session;
    const [current] = await db
      .select({ state: sql<BulkState>`${own.operation.state}` })
      .from(own.operation)
      .where(fenced(own, lease))
      .for("update");
    if (!current) return null;
    const { change } = input;
    const state = change && current.state === change.from ? change.to : current.state;
    const saved = {
      state,
      runnerUntil: later(input.leaseMs),
      heartbeatAt: NOW,
      ...(input.progress === undefined ? {} : { progress: input.progress }),
      ...(isEnded(state) ? { endedAt: NOW, runnerUntil: null } : {}),
    };
    await session.run(db.update(own.operation).set(saved).where(eq(own.operation.id, lease.id)));
    return state;
  });
}

export async function releaseBulk(session: Session, lease: BulkLease): Promise<void> {
  const { db, own } = session;
  await session.run(db.update(own.operation).set({ runnerUntil: null }).where(fenced(own, lease)));
}

export function commandBulk(pool: Pool, input: Parameters<BulkRecords["command"]>[0]): Promise<boolean> {
  return inTransaction(pool, async (session) => {
    const { operation } = session.own;
    const inState = and(eq(operation.id, input.id), inArray(operation.state, [...input.from]));
    const { affectedRows } = await session.run(session.db.update(operation).set({ state: input.to }).where(inState));
    if (affectedRows !== 1) return false;
    const { id: operationId, actor, action, outbox, reason } = input;
    await writeAudit(session, { actor, action, outbox, operationId, outcome: "done", reason, detail: null });
    return true;
  });
}

/** Runs `work` in a transaction that has the operation locked; `otherwise` if another runner has taken it. */
export function whileHeld<T>(
  pool: Pool,
  lease: BulkLease,
  { work, otherwise }: { work: (session: Session) => Promise<T>; otherwise: T },
): Promise<T> {
  return inTransaction(pool, async (session) => {
    const { db, own } = session;
    const held = await db.select({ id: own.operation.id }).from(own.operation).where(fenced(own, lease)).for("update");
    return held.length === 1 ? work(session) : otherwise;
  });
}

export async function saveProgress(session: Session, lease: BulkLease, progress: unknown): Promise<void> {
  const { operation } = session.own;
  await session.run(session.db.update(operation).set({ progress }).where(eq(operation.id, lease.id)));
}

function inTransaction<T>(pool: Pool, work: (session: Session) => Promise<T>): Promise<T> {
  return afterDeadlock(() => withWriteTransaction(pool, work));
}
