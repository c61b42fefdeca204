import { type NextRequest, NextResponse } from "next/server";
import { isAppError } from "#domain/errors.ts";
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
    const body = { error: { code: error.code, message: error.message, requestId: "none" } };
    return NextResponse.json(body, { status: 403, headers: { "cache-control": "no-store" } });
  }
  if (config.auth.mode === "none" || !needsSession(request.nextUrl.pathname)) return NextResponse.next();
  const actor = await openSession(config, request.cookies.get(SESSION_COOKIE)?.value);
  if (actor) return NextResponse.next();
  const next = encodeURIComponent(request.nextUrl.pathname + request.nextUrl.search);
  // A relative address: behind a proxy this process does not know its own name.
  return new NextResponse(null, { status: 307, headers: { location: `/sign-in?next=${next}` } });
}

function needsSession(path: string): boolean {
  return !/^\/(api\/|metrics$|sign-in$|_next\/|icon\.svg$)/.test(path);
}
