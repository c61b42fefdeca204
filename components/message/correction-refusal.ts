import { type ActionScope, SILENT } from "#components/action/plan-action.ts";
import type { MessageDetail } from "#contracts/message/messages.ts";
import { READ_ONLY } from "#domain/message/action-switch.ts";
import { CORRECTABLE_STATES } from "#domain/message/correction.ts";
import { hasRole } from "#domain/operator.ts";

/**
 * Why no corrected copy of the message can be sent by this user, as a sentence; undefined while nothing speaks against
 * it.
 */
export function correctionRefusal(
  { message, payload, correction }: Pick<MessageDetail, "message" | "payload" | "correction">,
  { actor, outbox, silent, readOnly }: ActionScope,
): string | undefined {
  if (readOnly) return READ_ONLY;
  if (silent) return SILENT;
  if (actor === null) return "Sign in to act on messages.";
  if (actor !== undefined && !hasRole(actor, "admin")) return `Your role is ${actor.role}; this needs admin.`;
  const capability = outbox?.capabilities.corrections;
  if (capability !== undefined && !capability.possible) return capability.reason ?? "Not possible here.";
  if (correction.copyId !== null) return `A corrected copy was sent already: ${correction.copyId}.`;
  if (!CORRECTABLE_STATES.some((state) => state === message.state))
    return `Only a failed or dead message can be corrected; this one is ${message.state.replace("_", " ")}.`;
  if (payload === null) return "This message has no payload that could be edited.";
  if (payload.format === "base64")
    return "Its payload is bytes, not text: an edited text could not be encoded in the same way.";
  return payload.truncated ? "Its payload is too long to be edited here." : undefined;
}
