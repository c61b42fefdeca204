import type { ConsoleAuditRecord } from "#db/records/write-audit.ts";
import type { Actor } from "#domain/operator.ts";

type About = Partial<Omit<ConsoleAuditRecord, "actor" | "action">> & Pick<ConsoleAuditRecord, "detail">;

/**
 * An entry of the console's own audit: `done`, of no outbox and no inbox, and without a reason, unless `about` differs.
 */
export function consoleEntry(actor: Actor, action: string, about: About): ConsoleAuditRecord {
  return { actor, action, outbox: null, inbox: null, outcome: "done", reason: null, ...about };
}
