import { type NextRequest, NextResponse } from "next/server";
import type { ErrorBody } from "#contracts/common.ts";
import { type ErrorCode, isAppError } from "#domain/errors.ts";
import type { Config } from "#services/config/config-schema.ts";
import { loadConfig } from "#services/config/load-config.ts";
import { checkOrigin } from "./app/_server/check-origin.ts";
import { openSession, SESSION_COOKIE } from "./app/_server/session.ts";

let config: Config | undefined;

/** Before every request: an allowed host, and for pages a session where one is needed. Endpoints answer for themselves. */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  config ??= loadConfig();
  try {
    checkOrigin(config, request);
  } catch (error) {
    if (!isAppError(error)) throw error;
    return refuse(403, error.code, error.message);
  }
  if (!isDecodable(request.nextUrl.pathname)) return refuse(400, "invalid_input", "The address is not valid.");
  if (config.auth.mode === "none" || !needsSession(request.nextUrl.pathname)) return NextResponse.next();
  const actor = await openSession(config, request.cookies.get(SESSION_COOKIE)?.value);
  if (actor) return NextResponse.next();
  // Next makes the address relative, so that it holds behind a proxy too, whose name this process does not know.
  const signIn = request.nextUrl.clone();
  signIn.pathname = "/sign-in";
  signIn.search = `?next=${encodeURIComponent(request.nextUrl.pathname + request.nextUrl.search)}`;
  return NextResponse.redirect(signIn);
}

/** Half a percent sign or bytes that are no UTF-8 would fail inside the framework. */
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

function needsSession(path: string): boolean {
  return !/^\/(api\/|metrics$|sign-in$|_next\/|icon\.svg$|favicon\.ico$)/.test(path);
}
