import { AppError } from "#domain/errors.ts";
import { type Actor, hasRole, lacksRole, type Role, roleOn } from "#domain/operator.ts";
import type { Runtime } from "./runtime.ts";
import { scopedRuntime } from "./scoped-runtime.ts";

/** The actor of a request and the runtime. Every verb that changes something takes one and checks the role itself. */
export interface ServiceContext {
  runtime: Runtime;
  actor: Actor;
  requestId: string;
}

/** `outboxes`: where the role is needed; left out: in what the request is about. Throws: forbidden. */
export function requireRole(ctx: ServiceContext, least: Role, outboxes: readonly string[] = []): void {
  const { actor } = ctx;
  const roles = outboxes.length === 0 ? [actor.role] : outboxes.map((outbox) => roleOn(actor, outbox) ?? "viewer");
  const short = roles.find((role) => !hasRole({ ...actor, role }, least));
  if (short) throw new AppError("forbidden", lacksRole(actor, least, short));
}

/** The context for what a path names. A hidden outbox or inbox does not exist. Throws: not_found. */
export async function placeContext(
  ctx: ServiceContext,
  path: { outbox?: string; inbox?: string; store?: string; table?: string },
): Promise<ServiceContext> {
  const { grants } = ctx.actor;
  if (!grants) return ctx;
  const runtime = scopedRuntime(ctx.runtime, ctx.actor);
  const { outbox, inbox, store } = path;
  if (outbox !== undefined) {
    const role = roleOn(ctx.actor, outbox);
    if (role === null) throw new AppError("not_found", `There is no outbox named "${outbox}".`);
    return { ...ctx, runtime, actor: { ...ctx.actor, role } };
  }
  const everything = grants.everywhere !== null;
  if (inbox !== undefined && !everything && !Object.hasOwn(runtime.config.inboxes, inbox))
    throw new AppError("not_found", `There is no inbox named "${inbox}".`);
  if (store !== undefined && !everything) throw new AppError("not_found", "There is no such table.");
  return { ...ctx, runtime };
}
