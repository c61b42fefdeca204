import { and, asc, desc, eq, inArray, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { Pool, PoolClient } from "pg";
import { toBulk } from "#db/stores/shared/own-tables/bulk-row.ts";
import { type BulkState, isEnded, WORKING_STATES } from "#domain/message/bulk-operation.ts";
import type { Role } from "#domain/operator.ts";
import type { BulkLease, BulkRecords, BulkRow, ListedOperation } from "../../port/bulk-records.ts";
import { queryOn } from "../connection/query-on.ts";
import { withWriteTransaction } from "../connection/transaction.ts";
import { instantText } from "../tables/column-values.ts";
import { operation } from "./schema.ts";
import { writeAudit } from "./write-audit.ts";

const now = sql`clock_timestamp()`;
const instant = (column: unknown) => instantText(sql`${column}`);
const after = (ms: number) => sql`${now} + ${ms} * interval '1 millisecond'`;

const columns = {
  id: operation.id,
  outbox: operation.outbox,
  at: instant(operation.at) as SQL<string>,
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
  heartbeatAt: instant(operation.heartbeatAt) as SQL<string | null>,
  alive: sql<boolean>`coalesce(${operation.runnerUntil} > ${now}, false)`,
  endedAt: instant(operation.endedAt) as SQL<string | null>,
};

export function beginBulk(pool: Pool, input: Parameters<BulkRecords["begin"]>[0]): ReturnType<BulkRecords["begin"]> {
  return withWriteTransaction(pool, async (client) => {
    const db = queryOn(client);
    const { actor, plan, detail, ...head } = input;
    const inserted = await db
      .insert(operation)
      .values({ ...head, actor: actor.name, role: actor.role, plan, state: "selecting" })
      .onConflictDoNothing({ target: [operation.actor, operation.idempotencyKey] })
      .returning({ id: operation.id });
    if (inserted.length > 0)
      await writeAudit(client, {
        actor,
        action: `operation.${input.action}`,
        outbox: input.outbox,
        operationId: input.id,
        outcome: "done",
        reason: input.reason,
        detail,
      });
    const [row] = await db
      .select(columns)
      .from(operation)
      .where(
        inserted.length > 0
          ? eq(operation.id, input.id)
          : and(eq(operation.actor, actor.name), eq(operation.idempotencyKey, input.idempotencyKey ?? "")),
      );
    if (!row) throw new Error("An operation vanished between two statements.");
    return { bulk: toBulk(row), isNew: inserted.length > 0, requestHash: row.requestHash, id: row.id };
  });
}

/** Null if there is none with this id, or if it ran within its request. */
export async function readBulk(db: Pool, id: string): Promise<BulkRow | null> {
  const [row] = await queryOn(db).select(columns).from(operation).where(eq(operation.id, id));
  return toBulk(row);
}

/** Newest first. */
export async function listOperations(db: Pool, input: Parameters<BulkRecords["list"]>[0]): Promise<ListedOperation[]> {
  const { outboxes, before, limit } = input;
  const rows = await queryOn(db)
    .select(columns)
    .from(operation)
    .where(
      and(
        outboxes === null ? undefined : inArray(operation.outbox, [...outboxes]),
        before === null
          ? undefined
          : or(lt(operation.at, before.at), and(eq(operation.at, before.at), lt(operation.id, before.id))),
      ),
    )
    .orderBy(desc(operation.at), desc(operation.id))
    .limit(limit);
  return rows.map((row) => ({ id: row.id, at: row.at, result: row.result, bulk: toBulk(row) }));
}

/** Newest first. Uses operation_unended_idx. */
export async function listUnended(
  db: Pool,
  { outboxes, limit }: Parameters<BulkRecords["unended"]>[0],
): Promise<BulkRow[]> {
  const rows = await queryOn(db)
    .select(columns)
    .from(operation)
    .where(
      and(
        isNotNull(operation.state),
        isNull(operation.endedAt),
        outboxes === null ? undefined : inArray(operation.outbox, [...outboxes]),
      ),
    )
    .orderBy(desc(operation.at), desc(operation.id))
    .limit(limit);
  return rows.flatMap((row) => toBulk(row) ?? []).filter(({ state }) => !isEnded(state));
}

/** Skips what another runner takes at the same moment. */
export function takeBulk(pool: Pool, runner: string, leaseMs: number): Promise<BulkRow | null> {
  return withWriteTransaction(pool, async (client) => {
    const db = queryOn(client);
    const [free] = await db
      .select({ id: operation.id })
      .from(operation)
      .where(
        and(
          inArray(operation.state, [...WORKING_STATES]),
          or(isNull(operation.runnerUntil), lt(operation.runnerUntil, now)),
        ),
      )
      .orderBy(asc(operation.at))
      .limit(1)
      .for("update", { skipLocked: true });
    if (!free) return null;
    await db
      .update(operation)
      .set({ runner, runnerUntil: after(leaseMs), heartbeatAt: now, fence: sql`${operation.fence} + 1` })
      .where(eq(operation.id, free.id));
    const [row] = await db.select(columns).from(operation).where(eq(operation.id, free.id));
    return toBulk(row);
  });
}

const fenced = (lease: BulkLease) => and(eq(operation.id, lease.id), eq(operation.fence, lease.fence));

export function saveBulk(
  pool: Pool,
  lease: BulkLease,
  input: Parameters<BulkRecords["save"]>[1],
): Promise<BulkState | null> {
  return withWriteTransaction(
    pool,
    async (client) => {
      const db = queryOn(client);
      const [current] = await db
        .select({ state: sql<BulkState>`${operation.state}` })
        .from(operation)
        .where(fenced(lease))
        .for("update");
      if (!current) return null;
      const { change } = input;
      const state = change && current.state === change.from ? change.to : current.state;
      await db
        .update(operation)
        .set({
          state,
          runnerUntil: after(input.leaseMs),
          heartbeatAt: now,
          ...(input.progress === undefined ? {} : { progress: input.progress }),
          ...(isEnded(state) ? { endedAt: now, runnerUntil: null } : {}),
        })
        .where(eq(operation.id, lease.id));
      return state;
      // A change of state is kept; progress that a crash takes back is counted again.
    },
    { flush: input.change !== undefined },
  );
}

export async function releaseBulk(pool: Pool, lease: BulkLease): Promise<void> {
  await queryOn(pool).update(operation).set({ runnerUntil: null }).where(fenced(lease));
}

export function commandBulk(pool: Pool, input: Parameters<BulkRecords["command"]>[0]): Promise<boolean> {
  return withWriteTransaction(pool, async (client) => {
    const changed = await queryOn(client)
      .update(operation)
      .set({ state: input.to })
      .where(and(eq(operation.id, input.id), inArray(operation.state, [...input.from])));
    if (changed.rowCount !== 1) return false;
    await writeAudit(client, {
      actor: input.actor,
      action: input.action,
      outbox: input.outbox,
      operationId: input.id,
      outcome: "done",
      reason: input.reason,
      detail: null,
    });
    return true;
  });
}

/** Locks the operation for the caller's transaction; false if another runner has taken it. */
export async function holdsBulk(client: PoolClient, lease: BulkLease): Promise<boolean> {
  const rows = await queryOn(client).select({ id: operation.id }).from(operation).where(fenced(lease)).for("update");
  return rows.length === 1;
}

export async function saveProgress(client: PoolClient, lease: BulkLease, progress: unknown): Promise<void> {
  await queryOn(client).update(operation).set({ progress }).where(eq(operation.id, lease.id));
}
