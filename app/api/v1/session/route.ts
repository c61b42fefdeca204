import { type Session, signInRequestSchema } from "#contracts/session.ts";
import { AppError } from "#domain/errors.ts";
import { signIn } from "#services/auth/sign-in.ts";
import { actorOf } from "../../../_server/actor.ts";
import { handle } from "../../../_server/handle.ts";
import { sealSession, sessionCookie } from "../../../_server/session.ts";

export const GET = handle({ role: "public" }, async ({ ctx, request }): Promise<Session> => {
  const { config } = ctx.runtime;
  return { mode: config.auth.mode, actor: await actorOf(config, request) };
});

export const POST = handle({ role: "public", body: signInRequestSchema }, async ({ ctx, body, request }) => {
  const { config } = ctx.runtime;
  if (config.auth.mode === "none") throw new AppError("invalid_input", "This console asks for no password.");
  const actor = await signIn(config, body);
  const session: Session = { mode: config.auth.mode, actor };
  const secure = request.headers.get("x-forwarded-proto") === "https";
  return Response.json(session, {
    headers: { "set-cookie": sessionCookie(await sealSession(config, actor), secure), "cache-control": "no-store" },
  });
});
