import "server-only";
import { withoutBasePath } from "#contracts/base-path.ts";
import { AppError } from "#domain/errors.ts";
import { isLoopback } from "#services/auth/check-bind.ts";
import type { Config } from "#services/config/config-schema.ts";
import { isPagePath } from "./page-path.ts";

/**
 * Accepts loopback, HOST and configured host names only, against DNS rebinding: an attacker's name that points at this
 * address. A request must come from a page of this console or from no page at all: also one that only reads, as an
 * image of a foreign page could start an export. Links to what FOLLOWED allows are an exception. Throws: forbidden.
 */
export function checkOrigin(config: Config, request: CheckedRequest): void {
  const host = request.headers.get("host") ?? "";
  if (!isAllowedHost(config, host)) {
    throw new AppError("forbidden", "This host name is not allowed. Add it under console.allowedHosts in outbox.yaml.");
  }
  if (isForeign(request, host)) throw new AppError("forbidden", "This request comes from another site.");
}

interface CheckedRequest {
  method: string;
  url: string;
  headers: Headers;
}

/** Endpoints that other sites may lead a person to, as to pages: a script can lead there too, so none is recorded. */
const FOLLOWED = /^\/api\/(health(\/|$)|openapi\.json$|v1\/session\/oidc\/)/;

function isForeign({ method, url, headers }: CheckedRequest, host: string): boolean {
  const site = headers.get("sec-fetch-site");
  const isFromElsewhere = site !== null && site !== "same-origin" && site !== "none";
  if (method !== "GET" && method !== "HEAD") {
    const origin = headers.get("origin");
    return origin === null ? isFromElsewhere : hostOf(origin) !== host;
  }
  return isFromElsewhere && !(headers.get("sec-fetch-dest") === "document" && isFollowed(url));
}

function isFollowed(url: string): boolean {
  const path = withoutBasePath(new URL(url).pathname);
  return isPagePath(path) || FOLLOWED.test(path);
}

function isAllowedHost(config: Config, host: string): boolean {
  const name = host.replace(/:\d+$/, "").toLowerCase();
  if (name === "") return false;
  return (
    isLoopback(name) || name === (process.env.HOST ?? "").toLowerCase() || config.console.allowedHosts.includes(name)
  );
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
