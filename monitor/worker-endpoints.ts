import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { AppError } from "#domain/errors.ts";
import { renderMetrics } from "#services/health/render-metrics.ts";
import type { Runtime } from "#services/runtime.ts";
import { log } from "./log.ts";

/** Further lines of metrics; of OpenMetrics with `# EOF` at their end. */
type MoreMetrics = (form: { openMetrics: boolean }) => Promise<string>;

/**
 * A worker's `GET /livez` (the process alone, no database) and `GET /metrics`, on WORKER_PORT of loopback or of
 * WORKER_HOST; without WORKER_PORT nothing listens. For probes and Prometheus inside a cluster; there is no sign-in.
 */
export async function startWorkerEndpoints(input: {
  runtime: Runtime;
  env?: Record<string, string | undefined>;
  /** Counters of the messages that this process sent. */
  sent?: MoreMetrics;
}): Promise<{ port: number | null; stop(): Promise<void> }> {
  const env = input.env ?? process.env;
  if (!env.WORKER_PORT) return { port: null, stop: async () => undefined };
  const port = Number(env.WORKER_PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new AppError("invalid_input", `WORKER_PORT must be a port number, but it is "${env.WORKER_PORT}".`);
  }
  const server = createServer((request, response) => {
    answer(input, request, response).catch((error: unknown) => {
      log.error({ err: error }, "an endpoint of the worker failed");
      send(response, 500, "text/plain", "internal error\n");
    });
  });
  await listen(server, port, env.WORKER_HOST || "127.0.0.1");
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  { runtime, sent }: { runtime: Runtime; sent?: MoreMetrics },
  { url = "/", headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = url.split("?")[0];
  if (path === "/livez") return send(response, 200, "application/health+json", JSON.stringify({ status: "pass" }));
  if (path !== "/metrics") return send(response, 404, "text/plain", "not found; use /livez or /metrics\n");
  const openMetrics = /application\/openmetrics-text/.test(headers.accept ?? "");
  const [{ contentType, text }, more = ""] = await Promise.all([
    renderMetrics({ runtime, openMetrics }),
    sent?.({ openMetrics }),
  ]);
  send(response, 200, contentType, joined(text, more, openMetrics));
}

/** OpenMetrics ends once, and has no empty lines. */
function joined(one: string, other: string, openMetrics: boolean): string {
  if (!openMetrics) return `${one}\n${other}`;
  return other === "" ? one : one.replace(/# EOF\n$/, "") + other;
}

function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, { "content-type": contentType, "cache-control": "no-store" });
  response.end(body);
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken =
        error.code === "EADDRINUSE" ? " is taken: set WORKER_PORT to another" : ` cannot be used (${error.code})`;
      reject(new AppError("unavailable", `WORKER_PORT ${port} on ${host}${taken}.`, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
}
