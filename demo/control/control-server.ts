import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { z } from "zod";
import { type Demo, demoRequestSchema } from "#contracts/demo.ts";
import { ERROR_STATUS, isAppError } from "#domain/errors.ts";
import type { FaultName } from "../faults/fault-board.ts";

const LARGEST_BODY_BYTES = 4_096;
const LOOPBACK_HOST = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;
const rateSchema = z.strictObject({ eventsPerSecond: z.number().min(0).max(2_000).nullable() });

export interface ControlOptions {
  port: number;
  read: () => Demo;
  setFault: (name: FaultName, active: boolean) => Promise<void>;
  setRate: (eventsPerSecond: number | null) => void;
}

type Answer = { status: number; body: unknown };

/** GET /faults, POST /faults {fault, active}, POST /rate {eventsPerSecond}: loopback only, JSON only. */
export async function startControlServer(options: ControlOptions): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    send(response, await answer(request, options).catch(answerError));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "127.0.0.1", resolve);
  });
  return { port: portOf(server), close: () => closeServer(server) };
}

async function answer(request: IncomingMessage, options: ControlOptions): Promise<Answer> {
  // A page of another site can reach loopback by DNS rebinding, and can post forms; the checks below refuse both.
  if (!LOOPBACK_HOST.test(request.headers.host ?? "")) return problem(403, "forbidden", "Only loopback may ask.");
  const route = `${request.method} ${request.url?.split("?")[0]}`;
  if (route === "GET /faults") return { status: 200, body: options.read() };
  if (route !== "POST /faults" && route !== "POST /rate") {
    return problem(404, "not_found", "There are GET /faults, POST /faults and POST /rate.");
  }
  if (request.headers["content-type"]?.split(";")[0] !== "application/json") {
    return problem(400, "invalid_input", "Send JSON with the content type application/json.");
  }
  const body = await readJson(request);
  if (route === "POST /faults") {
    const parsed = demoRequestSchema.safeParse(body);
    if (!parsed.success) return problem(400, "invalid_input", z.prettifyError(parsed.error));
    await options.setFault(parsed.data.fault, parsed.data.active);
  } else {
    const parsed = rateSchema.safeParse(body);
    if (!parsed.success) return problem(400, "invalid_input", z.prettifyError(parsed.error));
    options.setRate(parsed.data.eventsPerSecond);
  }
  return { status: 200, body: options.read() };
}

/** Undefined when the body is too long or not JSON; no schema accepts undefined. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const chunk of request as AsyncIterable<Buffer>) {
    text += chunk.toString("utf8");
    if (text.length > LARGEST_BODY_BYTES) return undefined;
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function answerError(error: unknown): Answer {
  if (isAppError(error)) return problem(ERROR_STATUS[error.code], error.code, error.message);
  console.error(error);
  return problem(500, "internal", "The demo could not do this; its log says why.");
}

function problem(status: number, code: string, message: string): Answer {
  return { status, body: { error: { code, message } } };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}

function portOf(server: Server): number {
  const address = server.address();
  return address !== null && typeof address === "object" ? address.port : 0;
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
