import type { AuditRecord } from "../../port/audit.ts";

/** Audit row for a retention policy that takes effect. `reason` names what it removes, `detail` is the policy. */
export function activationAudit(outbox: string, subject: string, rule: string): AuditRecord {
  return {
    actor: { name: "retention", role: "admin" },
    action: "retention.activate",
    outbox,
    outcome: "done",
    reason: `outbox.yaml: ${subject.startsWith("partition") ? "partitions" : subject}`,
    detail: rule,
  };
}

/** The same of an inbox. */
export function inboxActivationAudit(inbox: string, rule: string): AuditRecord {
  return { ...activationAudit("", `inbox ${inbox}`, rule), outbox: null };
}
