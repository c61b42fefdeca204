import type { IncomingMessage, ServerResponse } from "node:http";
import { withoutBasePath } from "#contracts/base-path.ts";
import { checkOrigin } from "./check-origin.ts";
import { getRuntime } from "./runtime.ts";

/**
 * Answers `/api/health/live` ahead of Next, so that a flood of other requests cannot delay it. Returns false for any
 * other request, and for a foreign host, which Next refuses.
 */
export function answerLiveness(request: IncomingMessage, response: ServerResponse): boolean {
  const { method = "", url = "", headers } = request;
  if (withoutBasePath(url) !== "/api/health/live" || (method !== "GET" && method !== "HEAD")) return false;
  try {
    checkOrigin(getRuntime().config, {
      method,
      url: "http://localhost/",
      headers: new Headers({ host: headers.host ?? "" }),
    });
  } catch {
    return false;
  }
  response.writeHead(200, {
    "content-type": "application/health+json",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(method === "HEAD" ? undefined : JSON.stringify({ status: "pass" }));
  return true;
}
