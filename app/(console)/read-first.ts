import "server-only";
import { headers } from "next/headers";
import type { Runtime } from "#services/runtime.ts";
import { scopedRuntime } from "#services/scoped-runtime.ts";
import { actorOf } from "../_server/actor.ts";
import { getRuntime } from "../_server/runtime.ts";

/** Longest wait for a database while a page renders. After it, the browser asks again and reports the problem. */
const DEADLINE_MS = 400;

/**
 * Reads figures while the page is rendered, so that the first paint contains them and nothing moves later.
 * Resolves to undefined if nobody is signed in, or if the read fails or is late.
 */
export function readFirst<Data>(read: (runtime: Runtime) => Promise<Data>): Promise<Data | undefined> {
  return Promise.race([readSignedIn(read), deadline()]);
}

async function readSignedIn<Data>(read: (runtime: Runtime) => Promise<Data>): Promise<Data | undefined> {
  const request = new Request("http://console.invalid/", { headers: await headers() });
  try {
    const runtime = getRuntime();
    const actor = await actorOf(runtime, request);
    return actor ? await read(scopedRuntime(runtime, actor)) : undefined;
  } catch {
    // The browser's own request will fail too; that failure is shown on the page and logged with its request id.
    return undefined;
  }
}

function deadline(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), DEADLINE_MS));
}
