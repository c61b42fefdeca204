import type { AuditEntry } from "#contracts/message/messages.ts";
import type { Cell } from "../export/cell.ts";

/** The version of the Elastic Common Schema whose field sets and categories are used here. */
const ECS_VERSION = "8.11.0";

/** Fields of one entry at the top, in order. */
export const ECS_FIELDS = ["@timestamp", "message", "ecs", "event", "user", "service", "labels", "outbox_console"];

interface Kind {
  category: string;
  type: string;
}

const CHANGE: Kind = { category: "api", type: "change" };
const ACCESS: Kind = { category: "database", type: "access" };

/** By action, or by the concept before its dot. */
const KINDS: Readonly<Record<string, Kind>> = {
  "request.denied": { category: "api", type: "denied" },
  "session.start": { category: "session", type: "start" },
  "session.refused": { category: "session", type: "denied" },
  "session.end": { category: "session", type: "end" },
  "token.make": { category: "iam", type: "creation" },
  "token.revoke": { category: "iam", type: "deletion" },
  message: { category: "database", type: "change" },
  operation: { category: "database", type: "change" },
  relay: { category: "process", type: "change" },
  connector: { category: "process", type: "change" },
  mapping: { category: "configuration", type: "change" },
  config: { category: "configuration", type: "change" },
  retention: { category: "configuration", type: "change" },
};

const OUTCOMES: Readonly<Record<string, string>> = { done: "success", refused: "failure", cut: "failure" };

/**
 * An audit entry in the Elastic Common Schema, one cell for each of `ECS_FIELDS`; what the schema has no field for is
 * below `outbox_console`. Only session entries have the person's address, in their detail, so there is no `source`.
 */
export function ecsCells(entry: AuditEntry): Cell[] {
  const { id, at, actor, role, action, outbox, inbox, outcome, reason } = entry;
  const kind = kindOf(action);
  return [
    at,
    messageOf(entry),
    object({ version: ECS_VERSION }),
    object({
      ...{ kind: "event", category: [kind.category], type: [kind.type], dataset: "outbox_console.audit" },
      ...{ id, action, outcome: OUTCOMES[outcome] ?? "unknown", reason },
    }),
    object({ name: actor, roles: [role] }),
    object({ name: "outbox-console" }),
    object({ outbox, inbox }),
    object({
      outcome,
      message_id: entry.messageId,
      operation_id: entry.operationId,
      state_before: entry.stateBefore,
      state_after: entry.stateAfter,
      detail: entry.detail,
    }),
  ];
}

function kindOf(action: string): Kind {
  const [concept = "", verb = ""] = action.split(".");
  return KINDS[action] ?? (/export|reveal/.test(verb) ? ACCESS : (KINDS[concept] ?? CHANGE));
}

/** "ada: message.retry of 17 in orders: done, broker back" */
function messageOf({ actor, action, messageId, outbox, inbox, outcome, reason }: AuditEntry): string {
  const place = outbox ?? inbox;
  const what = `${action}${messageId === null ? "" : ` of ${messageId}`}${place === null ? "" : ` in ${place}`}`;
  return `${actor}: ${what}: ${outcome}${reason === null ? "" : `, ${reason}`}`;
}

/** Without the members that are null. */
function object(members: Record<string, unknown>): Cell {
  return { json: JSON.stringify(members, (_, value) => (value === null ? undefined : value)) };
}
