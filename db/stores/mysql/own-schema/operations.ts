import { and, eq, gte, isNotNull, type SQL, sql } from "drizzle-orm";
import type { MessageState } from "#domain/message/message-state.ts";
import type { AuditedChange, NewOperation, StoredOperation } from "../../port/operations.ts";
import { DUPLICATE_KEY, errorNumber } from "../connection/database-error.ts";
import type { Pool } from "../connection/pool.ts";
import type { Session } from "../connection/session.ts";
import { withWriteTransaction } from "../connection/transaction.ts";
import { ageSeconds, NOW } from "../tables/column-values.ts";
import { lockOutbox } from "../tables/outbox-lock.ts";
import { afterDeadlock } from "./after-deadlock.ts";

/**
 * Records the start of an operation with the result `first(at)`; `at` is the database's time. If this actor has already
 * used the idempotency key, returns the earlier operation instead.
 * Race: of two with one key the second waits for the first to commit, at most 1 s, and then finds it.
 */
export function claimOperation(
  pool: Pool,
  operation: NewOperation,
  first: (at: string) => unknown,
): Promise<StoredOperation> {
  return afterDeadlock(() =>
    withWriteTransaction(pool, async (session) => {
      if (!(await insertOperation(session, operation))) return readEarlier(session, operation);
      const stored = await readBy(session, eq(session.own.operation.id, operation.id));
      if (!stored) throw new Error("An operation vanished between two statements.");
      const result = first(stored.at);
      await finishOperation(session, operation.id, result);
      return { ...stored, result, isNew: true };
    }),
  );
}

/** False where the actor has used the key. */
export async function insertOperation(
  { db, own }: Session,
  { actor, ...operation }: NewOperation,
  bulk: { plan?: unknown; state?: string } = {},
): Promise<boolean> {
  try {
    await db.insert(own.operation).values({ ...operation, ...bulk, actor: actor.name, role: actor.role, at: NOW });
    return true;
  } catch (error) {
    // Only the statement is rolled back. Without a key it is the id that was used before.
    if (errorNumber(error) === DUPLICATE_KEY && operation.idempotencyKey !== null) return false;
    throw error;
  }
}

async function readEarlier(session: Session, { actor, idempotencyKey }: NewOperation): Promise<StoredOperation> {
  const used = { actor: actor.name, idempotencyKey: idempotencyKey ?? "" };
  const earlier = await readOperationByKey(session, used);
  if (!earlier) throw new Error("An operation vanished between two statements.");
  return earlier;
}

export async function finishOperation(session: Session, id: string, result: unknown): Promise<void> {
  const { operation } = session.own;
  await session.run(session.db.update(operation).set({ result }).where(eq(operation.id, id)));
}

/** Null if there is no operation with this id. */
export function readOperation(session: Session, id: string): Promise<StoredOperation | null> {
  return readBy(session, eq(session.own.operation.id, id));
}

/** Null if the actor has not used the key. */
export function readOperationByKey(
  session: Session,
  { actor, idempotencyKey }: { actor: string; idempotencyKey: string },
): Promise<StoredOperation | null> {
  const { operation } = session.own;
  return readBy(session, and(eq(operation.actor, actor), eq(operation.idempotencyKey, idempotencyKey)));
}

async function readBy(
  { db, own: { operation } }: Session,
  condition: SQL | undefined,
): Promise<StoredOperation | null> {
  const [row] = await db
    .select({
      id: operation.id,
      outbox: operation.outbox,
      at: operation.at,
      requestHash: operation.requestHash,
      result: operation.result,
      ageSeconds: ageSeconds(sql`${operation.at}`) as SQL<number>,
    })
    .from(operation)
    .where(condition);
  return row ? { ...row, isNew: false } : null;
}

/**
 * The changes an operation has committed so far; a commit in progress is not included. Bounded by the operation's
 * start, because audit rows have no index by operation. Uses audit_time_idx.
 */
export async function readChanges({ db, own }: Session, operationId: string): Promise<AuditedChange[]> {
  const { audit, operation } = own;
  const begun = db.select({ at: operation.at }).from(operation).where(eq(operation.id, operationId));
  const rows = await db
    .select({
      messageId: sql<string>`${audit.messageId}`,
      stateBefore: sql<MessageState | null>`${audit.stateBefore}`,
      stateAfter: sql<MessageState | null>`${audit.stateAfter}`,
      detail: audit.detail,
    })
    .from(audit)
    .where(
      and(
        gte(audit.at, sql`(${begun})`),
        eq(audit.operationId, operationId),
        eq(audit.outcome, "done"),
        isNotNull(audit.messageId),
      ),
    );
  return rows;
}

/**
 * Finishes an operation with all the changes it ever made. Each change holds the outbox's lock exclusively until it
 * commits or rolls back, so after taking the lock the outcome of a commit in doubt is visible. Throws a lock timeout
 * while one is running.
 */
export async function settleOperation(
  pool: Pool,
  input: { id: string; outbox: string; finish: (changes: AuditedChange[]) => unknown },
): Promise<void> {
  await withWriteTransaction(pool, async (session) => {
    await lockOutbox(session, input.outbox, "exclusive");
    await finishOperation(session, input.id, input.finish(await readChanges(session, input.id)));
  });
}
