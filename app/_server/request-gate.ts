import diagnostics from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { asRouted, withoutBasePath } from "#contracts/base-path.ts";
import { BoundedSemaphore } from "#services/auth/bounded-semaphore.ts";
import { wasAccepted } from "./accepted-clients.ts";
import { answerLiveness } from "./answer-liveness.ts";
import { closeIfUnread, workOn } from "./answer-work.ts";
import { REQUEST_STARTS } from "./close-connections.ts";
import { cutBody } from "./cut-body.ts";
import { isPagePath } from "./page-path.ts";
import { PEER_HEADER } from "./peer-header.ts";
import { type Refusal, refusalOf } from "./refuse-request.ts";

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Most requests worked on at once, and most that wait. The limits keep the event loop free for liveness requests. */
const LANES = {
  /** Rendering one blocks the event loop for milliseconds. */
  page: { concurrency: 2, maxWaiting: 500 },
  stranger: { concurrency: 8, maxWaiting: 2000 },
  /** Some wait seconds for a database, which costs nothing. */
  known: { concurrency: 100, maxWaiting: 2000 },
  /** Scripts and styles, from files. */
  asset: { concurrency: 50, maxWaiting: 2000 },
};
/** Most requests of one connection that wait for the answer before theirs. Browsers send none ahead. */
const MOST_PIPELINED = 32;
/** Next's listeners and ours for the end of an answer are more than the ten from which on Node warns of a leak. */
const MOST_LISTENERS = 30;

/**
 * Runs ahead of Next for every request of this process, on the request as it was sent: refuses requests on which Next
 * would fail, records the peer's address, limits the body's size, and limits how many requests are handled at once.
 */
export function guardRequests(): void {
  const guarded = new WeakSet<Server>();
  diagnostics.subscribe(REQUEST_STARTS, (message) => {
    const { server } = message as { server: Server };
    if (guarded.has(server)) return;
    guarded.add(server);
    const listeners = server.listeners("request") as Listener[];
    server.removeAllListeners("request");
    const next: Listener = (request, response) => {
      for (const listener of listeners) listener.call(server, request, response);
    };
    server.on("request", createGate({ next, answerAtOnce: answerLiveness }));
  });
}

/** The gate ahead of one listener. `answerAtOnce` skips every queue; it returns true if it has answered. */
export function createGate(input: {
  next: Listener;
  answerAtOnce?: (request: IncomingMessage, response: ServerResponse) => boolean;
}): Listener {
  const lanes = {
    page: new BoundedSemaphore(LANES.page),
    stranger: new BoundedSemaphore(LANES.stranger),
    known: new BoundedSemaphore(LANES.known),
    asset: new BoundedSemaphore(LANES.asset),
  };
  const lastOf = new WeakMap<Socket, Promise<void>>();
  const pipelined = new WeakMap<Socket, number>();
  return async (request, response) => {
    response.setMaxListeners(MOST_LISTENERS);
    const wasCut = cutBody(request);
    endIfUnsent(request, response);
    closeUnlessRead(request, response, wasCut);
    const refusal = refusalOf(request);
    if (refusal) return refuse(response, refusal);
    request.headers[PEER_HEADER] = request.socket.remoteAddress ?? "unknown";
    request.url = asRouted(request.url ?? "/");
    if (input.answerAtOnce?.(request, response)) return;
    // Answers on one connection keep its requests' order, so a pipelined request waits for the one before it.
    const { socket } = request;
    const before = lastOf.get(socket);
    const closed = new Promise<void>((resolve) => response.once("close", resolve));
    lastOf.set(socket, closed);
    if (before) {
      const waiting = (pipelined.get(socket) ?? 0) + 1;
      pipelined.set(socket, waiting);
      if (waiting > MOST_PIPELINED) return void socket.destroy();
      await before;
      pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1);
    }
    closeIfUnread(response);
    const drawn = await lanes[laneOf(request)].run(async () => {
      if (!response.destroyed) {
        const worked = workOn(response);
        input.next(request, response);
        await worked;
      }
      return true;
    });
    if (!drawn) refuse(response, TOO_MUCH);
  };
}

const TOO_MUCH: Refusal = {
  status: 503,
  code: "unavailable",
  message: "Too many requests at once; try again in a moment.",
  headers: { "retry-after": "5" },
};

function laneOf({ url = "", headers, socket }: IncomingMessage): keyof typeof LANES {
  const [path = ""] = withoutBasePath(url).split("?");
  if (isPagePath(path)) return "page";
  if (path.startsWith("/_next/")) return "asset";
  const { cookie, authorization } = headers;
  return wasAccepted({ cookie, authorization, peer: socket.remoteAddress }) ? "known" : "stranger";
}

/** Longest wait for a body. Without it, a body that never arrives would occupy a lane for minutes. */
const BODY_WAIT_MS = 10_000;

function endIfUnsent(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return;
  const timer = setTimeout(() => {
    if (!request.complete) request.destroy();
  }, BODY_WAIT_MS);
  timer.unref();
  const clear = () => clearTimeout(timer);
  request.once("end", clear);
  response.once("close", clear);
}

/**
 * Closes the connection if the client still sends after the answer, instead of reading on. The client has one second to
 * read the answer.
 */
function closeUnlessRead(request: IncomingMessage, response: ServerResponse, wasCut: () => boolean): void {
  response.once("finish", () => {
    if (request.complete && !wasCut()) return;
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
