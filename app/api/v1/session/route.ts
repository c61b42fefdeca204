import { signInRequestSchema } from "#contracts/access/session.ts";
import { AppError } from "#domain/errors.ts";
import { describeSession } from "#services/auth/describe-session.ts";
import { signIn } from "#services/auth/sign-in.ts";
import { actorOrNobody, refused } from "../../../_server/actor.ts";
import { handle } from "../../../_server/handle.ts";
import { isSecure, sealSession, sessionCookie } from "../../../_server/session.ts";
import { sourceOf } from "../../../_server/source.ts";

export const GET = handle({ role: "public" }, async ({ ctx, request }) =>
  describeSession(ctx.runtime, await actorOrNobody(ctx.runtime, request)),
);

export const POST = handle(
  { role: "public", changes: false, body: signInRequestSchema },
  async ({ ctx, body, request }) => {
    const { runtime } = ctx;
    const { config } = runtime;
    if (config.auth.mode !== "password") throw new AppError("invalid_input", "This console takes no password.");
    const source = sourceOf(config, request);
    const actor = await signIn(config, { ...body, source }).catch(refused(runtime, request, "password", body.name));
    const cookie = sessionCookie(await sealSession(runtime, actor, source), isSecure(request));
    return Response.json(describeSession(runtime, actor), {
      headers: { "set-cookie": cookie, "cache-control": "no-store" },
    });
  },
);
