import diagnostics from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { BoundedLane } from "#services/auth/lanes.ts";
import { answerLiveness } from "./answer-liveness.ts";
import { cutBody } from "./cut-body.ts";
import { PEER_HEADER } from "./peer-header.ts";
import { type Refusal, refusalOf } from "./refuse-request.ts";

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Published by Node for each request, before the server's own listener is called. */
const REQUEST_STARTS = "http.server.request.start";
/** Requests that are worked on at a time; the others wait, so that liveness gets in between. */
const LANES = {
  /** Drawing one takes the event loop for milliseconds. */
  page: { concurrency: 2, maxWaiting: 500 },
  stranger: { concurrency: 8, maxWaiting: 2000 },
  /** Some wait for a database for seconds, and cost nothing meanwhile. */
  known: { concurrency: 100, maxWaiting: 2000 },
};
const NO_PAGE = /^\/(api\/|metrics(\?|$)|_next\/|icon\.svg|favicon\.ico)/;

/**
 * Stands before Next for every request of this process, where the request is still as it was sent: refuses what Next
 * would fail on, notes where it came from, bounds its body, and bounds how many are worked on at a time.
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

/** The gate before one listener. `answerAtOnce` says whether it has answered; it waits for nobody. */
export function createGate(input: {
  next: Listener;
  answerAtOnce?: (request: IncomingMessage, response: ServerResponse) => boolean;
}): Listener {
  const lanes = {
    page: new BoundedLane(LANES.page),
    stranger: new BoundedLane(LANES.stranger),
    known: new BoundedLane(LANES.known),
  };
  const lastOf = new WeakMap<Socket, Promise<void>>();
  return async (request, response) => {
    const wasCut = cutBody(request);
    endIfUnsent(request, response);
    closeUnlessRead(request, response, wasCut);
    const refusal = refusalOf(request);
    if (refusal) return refuse(response, refusal);
    request.headers[PEER_HEADER] = request.socket.remoteAddress ?? "unknown";
    if (input.answerAtOnce?.(request, response)) return;
    // Answers of one connection go out in the order of its requests: what is pipelined may as well wait its turn.
    const before = lastOf.get(request.socket);
    const closed = new Promise<void>((resolve) => response.once("close", resolve));
    lastOf.set(request.socket, closed);
    await before;
    const drawn = await lanes[laneOf(request)].run(async () => {
      if (!response.destroyed) {
        input.next(request, response);
        await closed;
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

function laneOf({ url = "", headers }: IncomingMessage): keyof typeof LANES {
  if (!NO_PAGE.test(url)) return "page";
  const shown = headers.cookie !== undefined || headers.authorization !== undefined || url.startsWith("/_next/");
  return shown ? "known" : "stranger";
}

/** A body that does not arrive would hold a place in a lane for minutes. */
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

/** Who still sends after the answer is not read to the end: the connection is closed, with a moment to read the answer. */
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
