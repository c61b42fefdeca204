import { cookiePath } from "#contracts/base-path.ts";
import "server-only";
import { sealData, unsealData } from "iron-session";
import { grantsSchema } from "#contracts/access/session.ts";
import { roleSchema } from "#contracts/common.ts";
import type { Actor } from "#domain/operator.ts";
import { isSessionOpen, SESSION_SECONDS, startSession } from "#services/auth/sessions.ts";
import { sessionMark, sessionSecret } from "#services/auth/sign-in.ts";
import type { Runtime } from "#services/runtime.ts";
import { cookieIn, SESSION_COOKIE } from "./session-cookie.ts";

export interface OpenSession {
  id: string;
  actor: Actor;
}

interface Sealed {
  id?: unknown;
  name?: unknown;
  role?: unknown;
  grants?: unknown;
  mark?: unknown;
}

/** Starts a session on the server and returns its cookie value. */
export async function sealSession(runtime: Runtime, actor: Actor, address: string): Promise<string> {
  const id = await startSession(runtime, actor, address);
  const { name, role, grants } = actor;
  const sealed = { id, name, role, ...(grants ? { grants } : {}), mark: sessionMark(runtime.config, actor) };
  return sealData(sealed, { password: sessionSecret(runtime.config), ttl: SESSION_SECONDS });
}

/** Null if the cookie is missing, expired or forged, its session has ended, or its role's password has changed. */
export async function openSession(runtime: Runtime, cookie: string | undefined): Promise<OpenSession | null> {
  if (!cookie || !["password", "oidc"].includes(runtime.config.auth.mode)) return null;
  const data = await unsealData<Sealed>(cookie, {
    password: sessionSecret(runtime.config),
    ttl: SESSION_SECONDS,
    // A cookie that cannot be unsealed counts as none.
  }).catch((): Sealed => ({}));
  const role = roleSchema.safeParse(data.role);
  const grants = grantsSchema.optional().safeParse(data.grants);
  if (typeof data.id !== "string" || typeof data.name !== "string" || !role.success || !grants.success) return null;
  const actor = { name: data.name, role: role.data, ...(grants.data ? { grants: grants.data } : {}) };
  if (data.mark !== sessionMark(runtime.config, actor)) return null;
  return (await isSessionOpen(runtime, data.id, actor)) ? { id: data.id, actor } : null;
}

export function sessionCookie(value: string, secure: boolean): string {
  const age = value === "" ? 0 : SESSION_SECONDS;
  return `${SESSION_COOKIE}=${value}; Path=${cookiePath()}; HttpOnly; SameSite=Strict; Max-Age=${age}${secure ? "; Secure" : ""}`;
}

/** Whether the browser connected over https, by X-Forwarded-Proto; the request gate refuses several values. */
export function isSecure(request: Request): boolean {
  return request.headers.get("x-forwarded-proto")?.toLowerCase() === "https";
}

export function readCookie(request: Request, name: string): string | undefined {
  return cookieIn(request.headers.get("cookie"), name);
}
