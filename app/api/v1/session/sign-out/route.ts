import { describeSession } from "#services/auth/describe-session.ts";
import { endOidc } from "#services/auth/oidc.ts";
import { closeSession } from "#services/auth/sessions.ts";
import { handle } from "../../../../_server/handle.ts";
import { isSecure, openSession, readCookie, sessionCookie } from "../../../../_server/session.ts";
import { SESSION_COOKIE } from "../../../../_server/session-cookie.ts";

/** Ends the session on the server too, so that a copied cookie stops working. */
export const POST = handle({ role: "public", changes: false }, async ({ ctx, request }) => {
  const { runtime } = ctx;
  const { auth } = runtime.config;
  const open = await openSession(runtime, readCookie(request, SESSION_COOKIE));
  if (open) await closeSession(runtime, open.id, { by: open.actor, how: "signed out" });
  const continueAt = open && auth.mode === "oidc" ? await endOidc(auth) : null;
  return Response.json(
    { ...describeSession(runtime, null), continueAt },
    { headers: { "set-cookie": sessionCookie("", isSecure(request)), "cache-control": "no-store" } },
  );
});
