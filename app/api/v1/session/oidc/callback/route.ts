import { oidcCallbackQuerySchema } from "#contracts/access/session.ts";
import { withBasePath } from "#contracts/base-path.ts";
import { AppError } from "#domain/errors.ts";
import { recordRefusedSignIn } from "#services/audit/record-refused-sign-in.ts";
import { finishOidc } from "#services/auth/oidc.ts";
import { handle } from "../../../../../_server/handle.ts";
import { isSecure, readCookie, sealSession, sessionCookie } from "../../../../../_server/session.ts";
import {
  ATTEMPT_COOKIE,
  NOTE_COOKIE,
  noCookie,
  noteCookie,
  readAttempt,
} from "../../../../../_server/sign-in-cookies.ts";
import { sourceOf } from "../../../../../_server/source.ts";

/** Where the provider sends the browser back. Signs in, or leads to the sign-in page with a sentence. */
export const GET = handle({ role: "public", query: oidcCallbackQuerySchema }, async ({ ctx, request }) => {
  const { runtime } = ctx;
  const { config } = runtime;
  if (config.auth.mode !== "oidc") throw new AppError("not_found", "This console has no identity provider.");
  const attempt = await readAttempt(config, readCookie(request, ATTEMPT_COOKIE));
  const outcome = await finishOidc(config.auth, attempt, new URL(request.url).search);
  const secure = isSecure(request);
  if ("problem" in outcome) {
    const from = sourceOf(config, request);
    void recordRefusedSignIn(runtime, { how: "identity provider", name: null, from, why: outcome.problem });
    const again = `/sign-in?next=${encodeURIComponent(attempt?.next ?? "/")}`;
    return page(again, "Not signed in", [noCookie(ATTEMPT_COOKIE), await noteCookie(config, outcome, secure)]);
  }
  const session = await sealSession(runtime, outcome.actor, sourceOf(config, request));
  const cookies = [noCookie(ATTEMPT_COOKIE), noCookie(NOTE_COOKIE), sessionCookie(session, secure)];
  return page(attempt?.next ?? "/", "Signed in", cookies);
});

/**
 * A page that navigates by itself. After a redirect the browser would count the provider's site as the origin and
 * withhold the strict session cookie, and the console would ask to sign in again.
 */
function page(to: string, title: string, cookies: readonly string[]): Response {
  const path = withBasePath(to).replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  const headers = new Headers({ "content-type": "text/html; charset=utf-8", "cache-control": "no-store" });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><meta http-equiv="refresh" content="0;url=${path}"></head><body><p><a href="${path}">Continue</a></p></body></html>`;
  return new Response(html, { headers });
}
