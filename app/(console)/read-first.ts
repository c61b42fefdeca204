import "server-only";
import { cookies } from "next/headers";
import type { Runtime } from "#services/runtime.ts";
import { getRuntime } from "../_server/runtime.ts";
import { openSession, SESSION_COOKIE } from "../_server/session.ts";

/** A page never waits longer than this for a database: the browser asks again and says what is wrong. */
const DEADLINE_MS = 400;

/**
 * Reads figures while the page is rendered, so that its first paint has them and nothing moves when they come.
 * Nothing for a visitor who is not signed in, nothing when they are late or fail.
 */
export function readFirst<Data>(read: (runtime: Runtime) => Promise<Data>): Promise<Data | undefined> {
  return Promise.race([readSignedIn(read), deadline()]);
}

async function readSignedIn<Data>(read: (runtime: Runtime) => Promise<Data>): Promise<Data | undefined> {
  const cookie = (await cookies()).get(SESSION_COOKIE)?.value;
  try {
    const runtime = getRuntime();
    const signedIn = runtime.config.auth.mode === "none" || (await openSession(runtime, cookie)) !== null;
    return signedIn ? await read(runtime) : undefined;
  } catch {
    // The browser's own request meets the same failure, says it on the page and logs it with its request id.
    return undefined;
  }
}

function deadline(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), DEADLINE_MS));
}
