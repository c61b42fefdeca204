import { AppError } from "#domain/errors.ts";
import { type Actor, hasRole, type Role } from "#domain/operator.ts";
import type { Runtime } from "./runtime.ts";

/** The actor of a request and the runtime. Every verb that changes something takes one and checks the role itself. */
export interface ServiceContext {
  runtime: Runtime;
  actor: Actor;
  requestId: string;
}

/** Throws: forbidden. */
export function requireRole(ctx: ServiceContext, least: Role): void {
  if (hasRole(ctx.actor, least)) return;
  throw new AppError("forbidden", `This needs the role ${least}; you are signed in as ${ctx.actor.role}.`);
}
