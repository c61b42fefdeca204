import { connect } from "node:net";

/**
 * `node bench/anonymous-cost.ts [http://127.0.0.1:3000]`: cost of unauthenticated requests to a running console with
 * `auth.mode: password`. Each path is requested 400 times, 20 pipelined on each of 20 connections. Prints the server's
 * time per request on its one event loop, and the longest wait of a concurrent liveness request.
 */
const CONNECTIONS = 20;
const PIPELINED = 20;
const BODY = JSON.stringify({ name: "eve" });

const REQUESTS: readonly (readonly [name: string, head: string, body?: string])[] = [
  ["liveness", "GET /api/health/live"],
  ["readiness", "GET /api/health/ready"],
  ["health", "GET /api/health"],
  ["health, wrong credentials", "GET /api/health\nAuthorization: Basic ZXZlOndyb25n"],
  ["OpenAPI document", "GET /api/openapi.json"],
  ["session", "GET /api/v1/session"],
  ["no such endpoint", "GET /api/nope"],
  ["endpoint that needs a role", "GET /api/v1/outboxes"],
  ["metrics without credentials", "GET /metrics"],
  ["page that needs a session", "GET /messages?state=dead"],
  ["forged cookie", "GET /messages\nCookie: outbox-console=Fe26.2*1*a*b*c*d*e*f~2"],
  ["sign-in page", "GET /sign-in"],
  ["sign-in that is no JSON", "POST /api/v1/session\nContent-Type: application/json", "{"],
  ["sign-in without a password", "POST /api/v1/session\nContent-Type: application/json", BODY],
  ["absolute address", "GET http://evil.example/"],
  ["TRACE", "TRACE /"],
];

const url = new URL(process.argv[2] ?? "http://127.0.0.1:3000");

console.log("| request | ms each | liveness waited at most, ms |\n|---|---|---|");
for (const [name, head, body] of REQUESTS) {
  // The first request of each kind loads its code.
  await askMany(head, body, 1, 1);
  const watch = watchLiveness();
  const started = performance.now();
  await askMany(head, body, CONNECTIONS, PIPELINED);
  const each = (performance.now() - started) / (CONNECTIONS * PIPELINED);
  console.log(`| ${name} | ${each.toFixed(2)} | ${(await watch.stop()).toFixed(0)} |`);
}

function askMany(head: string, body: string | undefined, connections: number, pipelined: number): Promise<unknown> {
  const [line = "", ...headers] = head.split("\n");
  const host = `Host: ${url.host}`;
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const one = (last: boolean) =>
    [`${line} HTTP/1.1`, host, ...headers, ...length, ...(last ? ["Connection: close"] : []), "", body ?? ""].join(
      "\r\n",
    );
  const text = Array.from({ length: pipelined }, (_, index) => one(index === pipelined - 1)).join("");
  return Promise.all(Array.from({ length: connections }, () => sendAll(text)));
}

function sendAll(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(url.port), host: url.hostname });
    socket.on("error", reject);
    socket.on("close", () => resolve());
    socket.resume();
    socket.write(text);
  });
}

function watchLiveness(): { stop(): Promise<number> } {
  let worst = 0;
  let going = true;
  const watching = (async () => {
    while (going) {
      const asked = performance.now();
      await (await fetch(new URL("/api/health/live", url))).text();
      worst = Math.max(worst, performance.now() - asked);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  return {
    stop: async () => {
      going = false;
      await watching;
      return worst;
    },
  };
}
