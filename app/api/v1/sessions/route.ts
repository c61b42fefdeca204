import type { SessionList } from "#contracts/access/session.ts";
import { readSessions } from "#services/auth/sessions.ts";
import { handle } from "../../../_server/handle.ts";
import { openSession, readCookie } from "../../../_server/session.ts";
import { SESSION_COOKIE } from "../../../_server/session-cookie.ts";

export const GET = handle({ role: "admin" }, async ({ ctx, request }): Promise<SessionList> => {
  const open = await openSession(ctx.runtime, readCookie(request, SESSION_COOKIE));
  return readSessions(ctx.runtime, open?.id ?? null);
});
