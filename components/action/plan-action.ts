import type { MessageSummary } from "#contracts/message/messages.ts";
import type { OutboxDetail } from "#contracts/outbox/outboxes.ts";
import { formatPlural } from "#domain/format.ts";
import { READ_ONLY } from "#domain/message/action-switch.ts";
import { BULK_ROLES, type BulkAction, isPossible, whyNotPossible } from "#domain/message/bulk-operation.ts";
import { type Actor, hasRole } from "#domain/operator.ts";

/** The user's role and what the outbox allows; undefined while unknown, when the server decides anyway. */
export interface ActionScope {
  actor: Actor | null | undefined;
  outbox: Pick<OutboxDetail, "mode" | "capabilities"> | undefined;
  /** True while the server does not answer: the page may be out of date. */
  silent?: boolean;
  readOnly?: boolean;
}

export interface ActionPlan {
  eligible: readonly MessageSummary[];
  refused: readonly { message: MessageSummary; reason: string }[];
  /** Why the action is impossible; undefined when it applies to at least one message. */
  blocked: string | undefined;
}

/** Splits messages into those that the action applies to now and the others, each with a reason. */
export function planAction(action: BulkAction, messages: readonly MessageSummary[], scope: ActionScope): ActionPlan {
  const eligible = messages.filter((message) => isPossible(action, message));
  const refused = messages.flatMap((message) => {
    const reason = whyNotPossible(action, message);
    return reason === undefined ? [] : [{ message, reason }];
  });
  return { eligible, refused, blocked: scopeReason(action, scope) ?? stateReason(eligible, refused) };
}

/** While the server does not answer. */
export const SILENT = "The database does not answer: nothing can be changed now.";

/** Why the action is impossible here in any state, for everybody or for this user; undefined if it is not. */
export function scopeReason(action: BulkAction, { actor, outbox, silent, readOnly }: ActionScope): string | undefined {
  if (readOnly) return READ_ONLY;
  if (silent) return SILENT;
  const least = BULK_ROLES[action];
  if (actor === null) return "Sign in to act on messages.";
  if (actor !== undefined && !hasRole(actor, least)) return `Your role is ${actor.role}; this needs ${least}.`;
  const capability = outbox?.capabilities.actions[action];
  if (capability !== undefined) return capability.possible ? undefined : (capability.reason ?? "Not possible here.");
  return outbox?.mode === "observe"
    ? "This outbox is observed only: the console changes nothing in its database."
    : undefined;
}

/** The reason if operations over many messages are switched off. */
export function bulkOff({ outbox }: ActionScope): string | undefined {
  return outbox?.capabilities.actions.bulk?.reason ?? undefined;
}

function stateReason(eligible: readonly unknown[], refused: ActionPlan["refused"]): string | undefined {
  if (eligible.length > 0) return undefined;
  const reasons = [...new Set(refused.map((refusal) => refusal.reason))];
  if (reasons.length === 0) return "Select or open a message first.";
  if (reasons.length === 1) return reasons[0];
  return `None of the ${formatPlural(refused.length, "message")} allows this: they are in different states.`;
}
