import type { Session } from "#contracts/access/session.ts";
import { READ_ONLY } from "#domain/message/action-switch.ts";
import { type Actor, hasRole, type Role, roleOn } from "#domain/operator.ts";

/** The actor with the role in an outbox, for what a page about it may offer. */
export function actorOn(actor: Actor | null | undefined, outbox: string | undefined): Actor | null | undefined {
  if (!actor || outbox === undefined) return actor;
  return { ...actor, role: roleOn(actor, outbox) ?? "viewer" };
}

/** Why the user may not change something, as a sentence; undefined if they may, and while nobody knows yet. */
export function roleRefusal(session: Session | undefined, least: Role, outbox?: string): string | undefined {
  if (session === undefined) return undefined;
  if (session.readOnly) return READ_ONLY;
  const actor = actorOn(session.actor, outbox);
  return !actor || !hasRole(actor, least) ? `This needs the role ${least}.` : undefined;
}
