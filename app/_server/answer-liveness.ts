import type { IncomingMessage, ServerResponse } from "node:http";
import { checkOrigin } from "./check-origin.ts";
import { getRuntime } from "./runtime.ts";

/**
 * Answers `/api/health/live` without Next, whose own work on a request would make a flood of others keep it waiting. A
 * foreign host, and whatever else is not plain, goes on to Next and is refused there.
 */
export function answerLiveness(request: IncomingMessage, response: ServerResponse): boolean {
  const { method = "", url, headers } = request;
  if (url !== "/api/health/live" || (method !== "GET" && method !== "HEAD")) return false;
  try {
    checkOrigin(getRuntime().config, { method, headers: new Headers({ host: headers.host ?? "" }) });
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
