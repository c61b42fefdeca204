import "server-only";
import type { Actor } from "#domain/operator.ts";
import { localActor, signIn } from "#services/auth/sign-in.ts";
import type { Config } from "#services/config/config-schema.ts";
import { openSession, readCookie, SESSION_COOKIE } from "./session.ts";

/** Who asks: by session cookie, or by HTTP Basic for programs. Null when nobody is signed in. Throws: unauthenticated, too_many_requests. */
export async function actorOf(config: Config, request: Request): Promise<Actor | null> {
  if (config.auth.mode === "none") return localActor();
  const basic = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (basic) {
    const text = Buffer.from(basic, "base64").toString("utf8");
    const colon = text.indexOf(":");
    return colon > 0 ? signIn(config, { name: text.slice(0, colon), password: text.slice(colon + 1) }) : null;
  }
  return openSession(config, readCookie(request, SESSION_COOKIE));
}
