import diagnostics from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { BoundedLane } from "#services/auth/lanes.ts";
import { cutBody } from "./cut-body.ts";
import { PEER_HEADER } from "./peer-header.ts";
import { type Refusal, refusalOf } from "./refuse-request.ts";

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Published by Node for each request, before the server's own listener is called. */
const REQUEST_STARTS = "http.server.request.start";
/** Pages drawn at a time. Drawing one takes the event loop for milliseconds, and liveness has to get in between. */
const PAGES = { concurrency: 2, maxWaiting: 500 };
const NO_PAGE = /^\/(api\/|metrics(\?|$)|_next\/|icon\.svg|favicon\.ico)/;

/**
 * Stands before Next for every request of this process, where the request is still as it was sent: refuses what Next
 * would fail on, notes where it came from, bounds its body, and lets few pages be drawn at a time.
 */
export function guardRequests(): void {
  const guarded = new WeakSet<Server>();
  diagnostics.subscribe(REQUEST_STARTS, (message) => {
    const { server } = message as { server: Server };
    if (guarded.has(server)) return;
    guarded.add(server);
    const listeners = server.listeners("request") as Listener[];
    server.removeAllListeners("request");
    server.on(
      "request",
      createGate((request, response) => {
        for (const listener of listeners) listener.call(server, request, response);
      }),
    );
  });
}

/** The gate before one listener. */
export function createGate(next: Listener): Listener {
  const pages = new BoundedLane(PAGES);
  return async (request, response) => {
    closeUnlessRead(request, response);
    const refusal = refusalOf(request);
    if (refusal) return refuse(response, refusal);
    request.headers[PEER_HEADER] = request.socket.remoteAddress ?? "unknown";
    cutBody(request);
    if (NO_PAGE.test(request.url ?? "")) return next(request, response);
    const drawn = await pages.run(async () => {
      if (response.destroyed) return true;
      const closed = new Promise((resolve) => response.once("close", resolve));
      next(request, response);
      await closed;
      return true;
    });
    if (drawn === undefined)
      refuse(response, {
        status: 503,
        code: "unavailable",
        message: "Too many pages are asked for at once; try again in a moment.",
      });
  };
}

/** Who still sends after the answer is not read to the end: the connection is closed, with a moment to read the answer. */
function closeUnlessRead(request: IncomingMessage, response: ServerResponse): void {
  response.once("finish", () => {
    if (request.complete) return;
    const { socket } = request;
    socket.end();
    setTimeout(() => socket.destroy(), 1000).unref();
  });
}

function refuse(response: ServerResponse, { status, code, message, headers }: Refusal): void {
  const body = JSON.stringify({ error: { code, message, requestId: "none" } });
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...headers,
  });
  response.end(body);
}
