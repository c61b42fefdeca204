import "server-only";
import { AppError } from "#domain/errors.ts";
import { isLoopback } from "#services/auth/check-bind.ts";
import type { Config } from "#services/config/config-schema.ts";

/**
 * Accepts loopback, HOST and configured host names only, against DNS rebinding: an attacker's name that points at this
 * address. A request that changes something must come from a page of this console, or from no page at all.
 * Throws: forbidden.
 */
export function checkOrigin(config: Config, request: { method: string; headers: Headers }): void {
  const host = request.headers.get("host") ?? "";
  if (!isAllowedHost(config, host)) {
    throw new AppError("forbidden", "This host name is not allowed. Add it under console.allowedHosts in outbox.yaml.");
  }
  if (request.method === "GET" || request.method === "HEAD") return;
  const origin = request.headers.get("origin");
  const site = request.headers.get("sec-fetch-site");
  const foreign =
    origin === null ? site !== null && site !== "same-origin" && site !== "none" : hostOf(origin) !== host;
  if (foreign) throw new AppError("forbidden", "This request comes from another site.");
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
