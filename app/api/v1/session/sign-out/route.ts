import type { Session } from "#contracts/session.ts";
import { handle } from "../../../../_server/handle.ts";
import { sessionCookie } from "../../../../_server/session.ts";

export const POST = handle({ role: "public" }, async ({ ctx, request }) => {
  const session: Session = { mode: ctx.runtime.config.auth.mode, actor: null };
  const secure = request.headers.get("x-forwarded-proto") === "https";
  return Response.json(session, { headers: { "set-cookie": sessionCookie("", secure), "cache-control": "no-store" } });
});
