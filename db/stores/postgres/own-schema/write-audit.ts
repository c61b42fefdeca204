import type { PoolClient } from "pg";
import type { AuditRecord } from "../../port/audit.ts";

/** Writes one audit row in the caller's transaction, so that no action commits without it. */
export async function writeAudit(client: Pick<PoolClient, "query">, record: AuditRecord): Promise<void> {
  await client.query(
    `INSERT INTO outbox_console.audit (actor, role, action, outbox, message_id, operation_id, outcome, reason, state_before, state_after, detail)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      record.actor.name,
      record.actor.role,
      record.action,
      record.outbox,
      record.messageId ?? null,
      record.operationId ?? null,
      record.outcome,
      record.reason,
      record.stateBefore ?? null,
      record.stateAfter ?? null,
      record.detail ?? null,
    ],
  );
}
