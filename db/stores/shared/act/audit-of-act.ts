import type { AuditRecord } from "../../port/audit.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { VerbRequest, VerbResult } from "../../port/verb.ts";

/** The audit's row of an action on one message. */
export function auditOfAct({ name }: OutboxRef, request: VerbRequest, result: VerbResult): AuditRecord {
  return {
    actor: request.actor,
    action: `message.${request.action}`,
    outbox: name,
    messageId: request.id,
    operationId: request.operationId,
    outcome: "done",
    reason: request.reason,
    stateBefore: result.stateBefore,
    stateAfter: result.stateAfter,
    detail: result.message,
  };
}
