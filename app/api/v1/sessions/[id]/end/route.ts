import type { SessionList } from "#contracts/access/session.ts";
import { AppError } from "#domain/errors.ts";
import { isLowerUuid } from "#domain/uuid.ts";
import { closeSession, readSessions } from "#services/auth/sessions.ts";
import { handle } from "../../../../../_server/handle.ts";
import { openSession, readCookie } from "../../../../../_server/session.ts";
import { SESSION_COOKIE } from "../../../../../_server/session-cookie.ts";

/** Ends somebody's session and returns the remaining ones. */
export const POST = handle(
  { role: "admin", changes: false },
  async ({ ctx, params, request }): Promise<SessionList> => {
    const { runtime, actor } = ctx;
    const id = params.id ?? "";
    const open = await openSession(runtime, readCookie(request, SESSION_COOKIE));
    const ended = isLowerUuid(id) && (await closeSession(runtime, id, { by: actor, how: "ended" }));
    if (!ended) throw new AppError("not_found", "There is no open session with this id.");
    return readSessions(runtime, open?.id ?? null);
  },
);
