import { type NextRequest, NextResponse } from "next/server";
import type { ErrorBody } from "#contracts/common.ts";
import { type ErrorCode, isAppError } from "#domain/errors.ts";
import type { Runtime } from "#services/runtime.ts";
import { actorOrNobody } from "./app/_server/actor.ts";
import { checkOrigin } from "./app/_server/check-origin.ts";
import { checkPrefix } from "./app/_server/check-prefix.ts";
import { contentPolicy } from "./app/_server/content-policy.ts";
import { isPagePath } from "./app/_server/page-path.ts";
import { getRuntime } from "./app/_server/runtime.ts";
import { openSession } from "./app/_server/session.ts";
import { SESSION_COOKIE } from "./app/_server/session-cookie.ts";

/** Runs before every request: checks the host and, for pages, the session. Endpoints check the session themselves. */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const runtime = getRuntime();
  try {
    checkOrigin(runtime.config, request);
    checkPrefix(runtime.config, request);
  } catch (error) {
    if (!isAppError(error)) throw error;
    return refuse(error.code === "forbidden" ? 403 : 400, error.code, error.message);
  }
  const { pathname, search } = request.nextUrl;
  if (!isDecodable(pathname)) return refuse(400, "invalid_input", "The address is not valid.");
  if (!isPagePath(pathname)) return NextResponse.next();
  if (pathname === "/sign-in" || (await isSignedIn(runtime, request))) return drawPage(request);
  // Next sends a relative address, which also works behind a proxy whose name this process does not know.
  const signIn = request.nextUrl.clone();
  signIn.pathname = "/sign-in";
  signIn.search = `?next=${encodeURIComponent(pathname + search)}`;
  return NextResponse.redirect(signIn);
}

async function isSignedIn(runtime: Runtime, request: NextRequest): Promise<boolean> {
  const { mode } = runtime.config.auth;
  if (mode === "none") return true;
  if (mode === "proxy") {
    const actor = await actorOrNobody(runtime, request);
    return actor !== null && !actor.metricsOnly;
  }
  return (await openSession(runtime, request.cookies.get(SESSION_COOKIE)?.value)) !== null;
}

/** Next reads its scripts' nonce from the request's policy; the browser enforces the response's policy. */
function drawPage(request: NextRequest): NextResponse {
  const policy = contentPolicy(Buffer.from(crypto.randomUUID()).toString("base64"));
  const headers = new Headers(request.headers);
  headers.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  return response;
}

/** False for a stray per cent sign or invalid UTF-8, on which the framework would fail. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}

function refuse(status: number, code: ErrorCode, message: string): NextResponse {
  const body: ErrorBody = { error: { code, message, requestId: "none" } };
  return NextResponse.json(body, { status, headers: { "cache-control": "no-store" } });
}
