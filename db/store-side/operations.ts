import type { Pool } from "pg";
import type { Actor } from "#domain/operator.ts";
import { instantText } from "../outbox/postgres/mapping-sql.ts";

export interface StoredOperation {
  id: string;
  at: string;
  requestHash: string;
  /** The answer as it was given; null while it runs or when it was cut short. */
  result: unknown;
  isNew: boolean;
}

export interface NewOperation {
  id: string;
  outbox: string;
  action: string;
  actor: Actor;
  reason: string;
  idempotencyKey: string | null;
  requestHash: string;
}

/** Records that an operation begins; with a key that this actor has used, returns the earlier one instead. */
export async function claimOperation(db: Pool, operation: NewOperation): Promise<StoredOperation> {
  const inserted = await db.query<StoredOperation>(
    `INSERT INTO outbox_console.operation (id, outbox, action, actor, role, reason, idempotency_key, request_hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (actor, idempotency_key) DO NOTHING RETURNING id, ${instantText("at")} AS at, request_hash AS "requestHash", NULL AS result, true AS "isNew"`,
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
  if (inserted.rows[0]) return inserted.rows[0];
  const earlier = await db.query<StoredOperation>(
    `SELECT id, ${instantText("at")} AS at, request_hash AS "requestHash", result, false AS "isNew" FROM outbox_console.operation WHERE actor = $1 AND idempotency_key = $2`,
    [operation.actor.name, operation.idempotencyKey],
  );
  const [row] = earlier.rows;
  if (!row) throw new Error("An operation vanished between two statements.");
  return row;
}

export async function finishOperation(db: Pool, id: string, result: unknown): Promise<void> {
  await db.query("UPDATE outbox_console.operation SET result = $2 WHERE id = $1", [id, JSON.stringify(result)]);
}

/** The answer of a finished operation; undefined when there is none with this id. */
export async function readOperation(db: Pool, id: string): Promise<unknown> {
  const result = await db.query<{ result: unknown }>("SELECT result FROM outbox_console.operation WHERE id = $1", [id]);
  return result.rows[0]?.result ?? undefined;
}
