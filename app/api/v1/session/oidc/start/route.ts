import { oidcStartQuerySchema } from "#contracts/access/session.ts";
import { AppError } from "#domain/errors.ts";
import { beginOidc } from "#services/auth/oidc.ts";
import { handle } from "../../../../../_server/handle.ts";
import { isSecure } from "../../../../../_server/session.ts";
import { attemptCookie } from "../../../../../_server/sign-in-cookies.ts";
import { safeNext } from "../../../../../sign-in/safe-next.ts";

/** Sends the browser to the provider. */
export const GET = handle({ role: "public", query: oidcStartQuerySchema }, async ({ ctx, query, request }) => {
  const { config } = ctx.runtime;
  if (config.auth.mode !== "oidc") throw new AppError("not_found", "This console has no identity provider.");
  const { to, attempt } = await beginOidc(config.auth, safeNext(query.next));
  const cookie = await attemptCookie(config, attempt, isSecure(request));
  return new Response(null, {
    status: 302,
    headers: { location: to, "set-cookie": cookie, "cache-control": "no-store" },
  });
});
