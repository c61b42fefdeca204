import type { MessageAction } from "./message-state.ts";

export const ROLES = ["viewer", "operator", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** Who acts. `name` is what the audit shows. */
export interface Actor {
  name: string;
  role: Role;
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

/** What the console may do to an outbox. */
export const MODES = ["observe", "operate", "relay"] as const;
export type Mode = (typeof MODES)[number];
