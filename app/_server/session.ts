import "server-only";
import { sealData, unsealData } from "iron-session";
import { roleSchema } from "#contracts/common.ts";
import type { Actor } from "#domain/operator.ts";
import { sessionSecret } from "#services/auth/sign-in.ts";
import type { Config } from "#services/config/config-schema.ts";

export const SESSION_COOKIE = "outbox-console";
/** A shift and a half. */
const SESSION_SECONDS = 12 * 3600;

export function sealSession(config: Config, actor: Actor): Promise<string> {
  return sealData(actor, { password: sessionSecret(config), ttl: SESSION_SECONDS });
}

/** Null for a cookie that is missing, expired, forged, or sealed before a password changed. */
export async function openSession(config: Config, cookie: string | undefined): Promise<Actor | null> {
  if (!cookie) return null;
  const data = await unsealData<{ name?: unknown; role?: unknown }>(cookie, {
    password: sessionSecret(config),
    ttl: SESSION_SECONDS,
    // A cookie that cannot even be taken apart is as good as none.
  }).catch((): { name?: unknown; role?: unknown } => ({}));
  const role = roleSchema.safeParse(data.role);
  return typeof data.name === "string" && role.success ? { name: data.name, role: role.data } : null;
}

export function sessionCookie(value: string, secure: boolean): string {
  const age = value === "" ? 0 : SESSION_SECONDS;
  return `${SESSION_COOKIE}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}${secure ? "; Secure" : ""}`;
}

export function readCookie(request: Request, name: string): string | undefined {
  const pairs = (request.headers.get("cookie") ?? "").split(/;\s*/);
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
