import "server-only";
import { headers } from "next/headers";
import type { Runtime } from "#services/runtime.ts";
import { scopedRuntime } from "#services/scoped-runtime.ts";
import { actorOf } from "../_server/actor.ts";
import { getRuntime } from "../_server/runtime.ts";

/** Longest wait for a database while a page renders. After it, the browser asks again and reports the problem. */
const DEADLINE_MS = 400;

/**
 * Reads figures while a document is rendered, so that the first paint contains them and nothing moves later. Resolves
 * to undefined if nobody is signed in, if the read fails or is late, and if the browser already has the console open
 * and fetches one more page of it: that page has its figures from before, and must not wait.
 */
export function readFirst<Data>(read: (runtime: Runtime) => Promise<Data>): Promise<Data | undefined> {
  return Promise.race([readSignedIn(read), deadline()]);
}

async function readSignedIn<Data>(read: (runtime: Runtime) => Promise<Data>): Promise<Data | undefined> {
  const request = new Request("http://console.invalid/", { headers: await headers() });
  if (!isDocument(request)) return undefined;
  try {
    const runtime = getRuntime();
    const actor = await actorOf(runtime, request);
    return actor && !actor.metricsOnly ? await read(scopedRuntime(runtime, actor)) : undefined;
  } catch {
    // The browser's own request will fail too; that failure is shown on the page and logged with its request id.
    return undefined;
  }
}

/** Browsers name HTML for documents only; the router's own requests accept anything. */
function isDocument(request: Request): boolean {
  return request.headers.get("accept")?.includes("text/html") === true;
}

function deadline(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), DEADLINE_MS));
}
