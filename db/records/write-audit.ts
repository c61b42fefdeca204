import type { PoolClient } from "pg";
import type { Actor } from "#domain/operator.ts";
import { storableText } from "../stores/shared/relay/storable-text.ts";

export interface ConsoleAuditRecord {
  actor: Actor;
  /** Concept and verb: `outbox.forget`. */
  action: string;
  outbox: string | null;
  inbox: string | null;
  /** `begun` and `cut` are for acts that take a while, such as an export. */
  outcome: "begun" | "done" | "cut" | "refused";
  reason: string | null;
  detail: string | null;
}

/**
 * Writes one audit row in the caller's transaction, so an action on the console's own records never commits without it.
 */
export async function writeConsoleAudit(client: PoolClient, record: ConsoleAuditRecord): Promise<void> {
  const { actor, action, outbox, inbox, outcome, reason, detail } = record;
  await client.query(
    `INSERT INTO outbox_console_app.audit (actor, role, action, outbox, inbox, outcome, reason, detail)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [actor.name, actor.role, action, outbox, inbox, outcome, reason, detail === null ? null : storableText(detail)],
  );
}
