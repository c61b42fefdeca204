import "server-only";
import { signInRequestSchema } from "#contracts/access/session.ts";
import { AppError, isAppError } from "#domain/errors.ts";
import type { Actor } from "#domain/operator.ts";
import { type RefusedSignIn, recordRefusedSignIn } from "#services/audit/record-refused-sign-in.ts";
import { proxyActor } from "#services/auth/proxy-actor.ts";
import { localActor, signIn } from "#services/auth/sign-in.ts";
import { TOKEN_FORM, tokenHolder } from "#services/auth/token-holder.ts";
import type { Runtime } from "#services/runtime.ts";
import { noteAccepted } from "./accepted-clients.ts";
import { openSession, readCookie } from "./session.ts";
import { SESSION_COOKIE } from "./session-cookie.ts";
import { isPeerIn, sourceOf } from "./source.ts";

/**
 * The actor of a request, by session cookie or, for programs, by API token or HTTP Basic. Null when nobody is signed
 * in. Throws: unauthenticated, too_many_requests, invalid_input (malformed credentials).
 */
export async function actorOf(runtime: Runtime, request: Request): Promise<Actor | null> {
  const { mode } = runtime.config.auth;
  const actor = await findActor(runtime, request);
  if (actor && mode !== "none") noteAccepted(request.headers, { byProxy: mode === "proxy" && !actor.token });
  return actor;
}

async function findActor(runtime: Runtime, request: Request): Promise<Actor | null> {
  const { config } = runtime;
  const bearer = /^Bearer +(\S{1,1000})$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  // The proxy's own token may be in this header too.
  if (bearer && (config.auth.mode !== "proxy" || TOKEN_FORM.test(bearer)))
    return tokenHolder(runtime, bearer, sourceOf(config, request)).catch(refused(runtime, request, "API token"));
  if (config.auth.mode === "none") return localActor();
  if (config.auth.mode === "proxy")
    return proxyActor(config.auth, request.headers, isPeerIn(config.auth.peers, request));
  if (config.auth.mode === "oidc")
    return (await openSession(runtime, readCookie(request, SESSION_COOKIE)))?.actor ?? null;
  const basic = /^Basic +([A-Za-z0-9+/=]{1,10000})$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (!basic) return (await openSession(runtime, readCookie(request, SESSION_COOKIE)))?.actor ?? null;
  const given = readBasic(basic);
  const actor = signIn(config, { ...given, source: sourceOf(config, request) });
  return actor.catch(refused(runtime, request, "HTTP Basic", given.name));
}

/** Records the refusal in the audit without waiting for it, and throws it again. */
export function refused(runtime: Runtime, request: Request, how: RefusedSignIn["how"], name: string | null = null) {
  return (why: unknown): never => {
    void recordRefusedSignIn(runtime, { how, name, from: sourceOf(runtime.config, request), why });
    throw why;
  };
}

/** As `actorOf`, for endpoints that answer anyone: wrong credentials count as none. */
export async function actorOrNobody(runtime: Runtime, request: Request): Promise<Actor | null> {
  try {
    return await actorOf(runtime, request);
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}

/** Throws: invalid_input. */
function readBasic(encoded: string): { name: string; password: string } {
  const bytes = Buffer.from(encoded, "base64");
  const text = bytes.toString("utf8");
  const colon = text.indexOf(":");
  const parsed = signInRequestSchema.safeParse({ name: text.slice(0, colon), password: text.slice(colon + 1) });
  if (colon < 1 || !parsed.success || !bytes.equals(Buffer.from(text, "utf8"))) {
    const why = parsed.error?.issues[0]?.message ?? "must be UTF-8, as name:password";
    throw new AppError("invalid_input", `The credentials of HTTP Basic are not valid: ${why}.`);
  }
  return parsed.data;
}
