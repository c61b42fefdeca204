import type { MessageAction } from "./message/message-state.ts";

export const ROLES = ["viewer", "operator", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** Roles that differ by outbox. `everywhere`: null for somebody who sees the named outboxes only. */
export interface Grants {
  everywhere: Role | null;
  outboxes: Readonly<Record<string, Role>>;
}

/** Who acts. `name` is what the audit shows; `role` is the one in what the request is about. */
export interface Actor {
  name: string;
  role: Role;
  /** Left out for somebody who has `role` in everything. */
  grants?: Grants;
  /** Set for an API token: nobody is signed in. */
  token?: "read" | "act" | "metrics";
  /** Set for an API token that reads /metrics and nothing else. */
  metricsOnly?: true;
}

/**
 * The role in an outbox: the higher of the one everywhere and the outbox's own. Null: the outbox is hidden from the
 * actor.
 */
export function roleOn({ role, grants }: Actor, outbox: string): Role | null {
  if (!grants) return role;
  const own = Object.hasOwn(grants.outboxes, outbox) ? (grants.outboxes[outbox] ?? null) : null;
  return highestRole(grants.everywhere, own);
}

export function highestRole(one: Role | null, other: Role | null): Role | null {
  if (one === null || other === null) return one ?? other;
  return ROLES.indexOf(one) >= ROLES.indexOf(other) ? one : other;
}

/** Somebody with these roles; outside of an outbox, one without a role everywhere may look. */
export function actorWith(name: string, { everywhere, outboxes }: Grants): Actor {
  const role = everywhere ?? "viewer";
  const differs = everywhere === null || Object.keys(outboxes).length > 0;
  return differs ? { name, role, grants: { everywhere, outboxes } } : { name, role };
}

/** Lowest role that may perform each action. */
export const ACTION_ROLES: Record<MessageAction, Role> = {
  retry: "operator",
  "dead-letter": "operator",
  archive: "operator",
  restore: "operator",
  purge: "admin",
};

export function hasRole(actor: Actor, least: Role): boolean {
  return ROLES.indexOf(actor.role) >= ROLES.indexOf(least);
}

/** Why the actor, who has `role` there, may not: as a sentence that says how to go on. */
export function lacksRole({ token }: Actor, least: Role, role: Role): string {
  const needs = `This needs the role ${least}`;
  if (token === undefined) return `${needs}; you are signed in as ${role}.`;
  if (least === "admin") return `${needs}, which no API token has: a person does it, signed in.`;
  const why = token === "act" ? "is limited to other outboxes" : `has the scope ${token}`;
  return `${needs}, and this API token ${why}: make one that may.`;
}

/** What the console may do to an outbox. */
export const MODES = ["observe", "operate", "relay"] as const;
export type Mode = (typeof MODES)[number];
