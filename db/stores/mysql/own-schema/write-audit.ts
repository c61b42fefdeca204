import type { AuditRecord } from "../../port/audit.ts";
import type { Session } from "../connection/session.ts";
import { NOW } from "../tables/column-values.ts";

/** Writes one audit row in the caller's transaction, so that no action commits without it. */
export async function writeAudit(session: Session, record: AuditRecord): Promise<void> {
  const { audit } = session.own;
  await session.run(
    session.db.insert(audit).values({
      at: NOW,
      actor: record.actor.name,
      role: record.actor.role,
      action: record.action,
      outbox: record.outbox,
      messageId: record.messageId ?? null,
      operationId: record.operationId ?? null,
      outcome: record.outcome,
      reason: record.reason,
      stateBefore: record.stateBefore ?? null,
      stateAfter: record.stateAfter ?? null,
      detail: record.detail ?? null,
    }),
  );
}
