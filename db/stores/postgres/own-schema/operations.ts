import type { Pool, PoolClient } from "pg";
import type { AuditedChange, NewOperation, StoredOperation } from "../../port/operations.ts";
import { withWriteTransaction } from "../connection/transaction.ts";
import { instantText } from "../tables/mapping-sql.ts";
import { lockOutbox } from "../tables/outbox-lock.ts";

const columns = (isNew: boolean) =>
  `id, outbox, ${instantText("at")} AS at, request_hash AS "requestHash", result,
   extract(epoch FROM clock_timestamp() - at)::float8 AS "ageSeconds", ${isNew} AS "isNew"`;

/**
 * Records the start of an operation with the result `first(at)`; `at` is the database's time. If this actor has already
 * used the idempotency key, returns the earlier operation instead.
 */
export async function claimOperation(
  db: Pool,
  operation: NewOperation,
  first: (at: string) => unknown,
): Promise<StoredOperation> {
  return withWriteTransaction(db, async (client) => {
    const inserted = await client.query<StoredOperation>(
      `INSERT INTO outbox_console.operation (id, outbox, action, actor, role, reason, idempotency_key, request_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (actor, idempotency_key) DO NOTHING RETURNING ${columns(true)}`,
      [
        operation.id,
        operation.outbox,
        operation.action,
        operation.actor.name,
        operation.actor.role,
        operation.reason,
        operation.idempotencyKey,
        operation.requestHash,
      ],
    );
    const [row] = inserted.rows;
    if (row) {
      const result = first(row.at);
      await client.query("UPDATE outbox_console.operation SET result = $2 WHERE id = $1", [
        row.id,
        JSON.stringify(result),
      ]);
      return { ...row, result };
    }
    const { actor, idempotencyKey } = operation;
    const earlier = await readOperationByKey(client, { actor: actor.name, idempotencyKey: idempotencyKey ?? "" });
    if (!earlier) throw new Error("An operation vanished between two statements.");
    return earlier;
  });
}

export async function finishOperation(db: Pool, id: string, result: unknown): Promise<void> {
  await db.query("UPDATE outbox_console.operation SET result = $2 WHERE id = $1", [id, JSON.stringify(result)]);
}

/** Null if there is no operation with this id. */
export async function readOperation(db: Pool, id: string): Promise<StoredOperation | null> {
  const { rows } = await db.query<StoredOperation>(
    `SELECT ${columns(false)} FROM outbox_console.operation WHERE id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

/** Null if the actor has not used the key. */
export async function readOperationByKey(
  db: Pool | PoolClient,
  used: { actor: string; idempotencyKey: string },
): Promise<StoredOperation | null> {
  const { rows } = await db.query<StoredOperation>(
    `SELECT ${columns(false)} FROM outbox_console.operation WHERE actor = $1 AND idempotency_key = $2`,
    [used.actor, used.idempotencyKey],
  );
  return rows[0] ?? null;
}

/** Bounded by the operation's start, because audit rows have no index by operation. Uses audit_time_idx. */
const CHANGES_SQL = `
SELECT message_id AS "messageId", state_before AS "stateBefore", state_after AS "stateAfter", detail
FROM outbox_console.audit
WHERE at >= (SELECT at FROM outbox_console.operation WHERE id = $1) AND operation_id = $1 AND outcome = 'done' AND message_id IS NOT NULL`;

/** The changes an operation has committed so far; a commit in progress is not included. */
export async function readChanges(db: Pool, operationId: string): Promise<AuditedChange[]> {
  const { rows } = await db.query<AuditedChange>(CHANGES_SQL, [operationId]);
  return rows;
}

/**
 * Finishes an operation with all the changes it ever made. Each change holds the outbox's lock exclusively until it
 * commits or rolls back, so after taking the lock the outcome of a commit in doubt is visible. Throws 55P03 while one
 * is running.
 */
export async function settleOperation(
  db: Pool,
  input: { id: string; outbox: string; finish: (changes: AuditedChange[]) => unknown },
): Promise<void> {
  await withWriteTransaction(db, async (client) => {
    await lockOutbox(client, input.outbox, "exclusive");
    const { rows } = await client.query<AuditedChange>(CHANGES_SQL, [input.id]);
    await client.query("UPDATE outbox_console.operation SET result = $2 WHERE id = $1", [
      input.id,
      JSON.stringify(input.finish(rows)),
    ]);
  });
}
