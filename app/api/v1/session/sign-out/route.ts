import type { Session } from "#contracts/session.ts";
import { closeSession } from "#services/auth/sessions.ts";
import { handle } from "../../../../_server/handle.ts";
import { isSecure, openSession, readCookie, SESSION_COOKIE, sessionCookie } from "../../../../_server/session.ts";

/** Ends the session on the server too, so that a copied cookie stops working. */
export const POST = handle({ role: "public", changes: false }, async ({ ctx, request }) => {
  const open = await openSession(ctx.runtime, readCookie(request, SESSION_COOKIE));
  if (open) await closeSession(ctx.runtime, open.id, open.actor.name);
  const session: Session = {
    mode: ctx.runtime.config.auth.mode,
    actor: null,
    readOnly: ctx.runtime.config.console.readOnly,
  };
  const cookie = sessionCookie("", isSecure(request));
  return Response.json(session, { headers: { "set-cookie": cookie, "cache-control": "no-store" } });
});
