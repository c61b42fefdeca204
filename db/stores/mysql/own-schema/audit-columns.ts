import { sql } from "drizzle-orm";
import type { AuditRow } from "../../port/audit.ts";
import type { OwnTables } from "../connection/session.ts";
import type { Selects } from "../tables/message-columns.ts";

/** An audit row as it is shown. */
export function auditColumns({ audit }: OwnTables): Selects<AuditRow> {
  return {
    id: sql`${audit.id}`,
    at: sql`${audit.at}`.mapWith(audit.at) as never,
    actor: sql`${audit.actor}`,
    role: sql`${audit.role}`,
    action: sql`${audit.action}`,
    outbox: sql`${audit.outbox}`,
    inbox: sql`${audit.inbox}`,
    messageId: sql`${audit.messageId}`,
    operationId: sql`${audit.operationId}`,
    outcome: sql`${audit.outcome}`,
    reason: sql`${audit.reason}`,
    stateBefore: sql`${audit.stateBefore}`,
    stateAfter: sql`${audit.stateAfter}`,
    detail: sql`${audit.detail}`,
  };
}
