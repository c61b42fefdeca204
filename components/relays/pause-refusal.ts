import { type ActionScope, SILENT } from "#components/action/plan-action.ts";
import { READ_ONLY } from "#domain/message/action-switch.ts";
import { hasRole } from "#domain/operator.ts";

/** Why the user can pause and resume nothing of the outbox now; undefined if they can, and while nobody knows yet. */
export function pauseRefusal({ actor, outbox, silent, readOnly }: ActionScope): string | undefined {
  if (readOnly) return READ_ONLY;
  if (silent) return SILENT;
  if (actor === null || (actor && !hasRole(actor, "operator"))) return "This needs the role operator.";
  return outbox?.capabilities.actions.pause?.reason ?? undefined;
}
