import { type Session, signInRequestSchema } from "#contracts/session.ts";
import { AppError } from "#domain/errors.ts";
import { signIn } from "#services/auth/sign-in.ts";
import { actorOrNobody } from "../../../_server/actor.ts";
import { handle } from "../../../_server/handle.ts";
import { isSecure, sealSession, sessionCookie } from "../../../_server/session.ts";
import { sourceOf } from "../../../_server/source.ts";

export const GET = handle({ role: "public" }, async ({ ctx, request }): Promise<Session> => {
  return {
    mode: ctx.runtime.config.auth.mode,
    actor: await actorOrNobody(ctx.runtime, request),
    readOnly: ctx.runtime.config.console.readOnly,
  };
});

export const POST = handle(
  { role: "public", changes: false, body: signInRequestSchema },
  async ({ ctx, body, request }) => {
    const { runtime } = ctx;
    const { config } = runtime;
    if (config.auth.mode === "none") throw new AppError("invalid_input", "This console needs no password.");
    const source = sourceOf(config, request);
    const actor = await signIn(config, { ...body, source });
    const session: Session = { mode: config.auth.mode, actor, readOnly: config.console.readOnly };
    const cookie = sessionCookie(await sealSession(runtime, actor, source), isSecure(request));
    return Response.json(session, { headers: { "set-cookie": cookie, "cache-control": "no-store" } });
  },
);
