import { afterAll, beforeAll, expect } from "vitest";
import { errorBodySchema } from "#contracts/common.ts";
import type { Runtime } from "#services/runtime.ts";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";

const ORIGIN = "http://127.0.0.1:47011";
export const JSON_TYPE = { "content-type": "application/json" };

type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;
type Settings = NonNullable<Parameters<typeof openTestRuntime>[1]>;

async function importRoutes() {
  const [outboxes, messages, message, operations, health, rest, session, audit, signOut, sessions, end, metrics] =
    await Promise.all([
      import("./v1/outboxes/route.ts"),
      import("./v1/outboxes/[outbox]/messages/route.ts"),
      import("./v1/outboxes/[outbox]/messages/[id]/route.ts"),
      import("./v1/outboxes/[outbox]/operations/route.ts"),
      import("./health/route.ts"),
      import("./[...rest]/route.ts"),
      import("./v1/session/route.ts"),
      import("./v1/audit/route.ts"),
      import("./v1/session/sign-out/route.ts"),
      import("./v1/sessions/route.ts"),
      import("./v1/sessions/[id]/end/route.ts"),
      import("../metrics/route.ts"),
    ]);
  return { outboxes, messages, message, operations, health, rest, session, audit, signOut, sessions, end, metrics };
}

export type Routes = Awaited<ReturnType<typeof importRoutes>>;

export interface Ask {
  method?: string;
  headers?: Record<string, string>;
  body?: BodyInit;
  params?: Record<string, string>;
  path?: string;
}

/**
 * The API over an outbox `orders` with three messages, for all tests of a file, which mocks `server-only` itself.
 * `settings` are read once the tests begin.
 */
export function servedApi(settings: () => Promise<Settings> = async () => ({})): () => Routes {
  const database = testDatabase("migrated");
  const holder = globalThis as typeof globalThis & { outboxConsoleRuntime?: Runtime };
  let routes: Routes | null = null;
  beforeAll(async () => {
    await database().pool.query(OUTBOX_EVENTS);
    await database().pool.query(
      "INSERT INTO outbox_events (event_type, payload) SELECT 'a', '{}' FROM generate_series(1, 3)",
    );
    holder.outboxConsoleRuntime = openTestRuntime(database().url, {
      outboxes: { orders: { store: "shop", table: "outbox_events", mode: "operate" } },
      ...(await settings()),
    });
    routes = await importRoutes();
  });
  afterAll(() => holder.outboxConsoleRuntime?.close());
  return () => {
    if (routes === null) throw new Error("The routes are available only inside tests and hooks.");
    return routes;
  };
}

export function ask(
  handler: unknown,
  { method = "GET", headers = {}, body, params = {}, path = "/" }: Ask = {},
): Promise<Response> {
  const request = new Request(`${ORIGIN}${path}`, {
    method,
    headers: { host: "127.0.0.1:47011", ...headers },
    ...(body === undefined ? {} : { body, duplex: "half" }),
  } as RequestInit);
  return (handler as Handler)(request, { params: Promise.resolve(params) });
}

/** An error as a client gets it, without anything that only we may know. */
export async function refusal(response: Response) {
  const text = await response.text();
  expect(text).not.toMatch(/SELECT |postgres(ql)?:\/\/|\n\s+at |node_modules/);
  const { error } = errorBodySchema.parse(JSON.parse(text));
  expect(error.requestId).toBe(response.headers.get("x-request-id"));
  expect(response.headers.get("cache-control")).toBe("no-store");
  return { status: response.status, code: error.code, message: error.message };
}

/** The body of a request that dead-letters a message that is not there. */
export const operation = (change: object = {}) =>
  JSON.stringify({
    action: "dead-letter",
    targets: [{ id: "00000000-0000-4000-8000-000000000001", version: "1" }],
    reason: "a reason",
    ...change,
  });

/** Posts `operation()`, unless told otherwise. */
export const postOperation = ({ operations }: Routes, more: Ask = {}) =>
  ask(operations.POST, {
    method: "POST",
    headers: JSON_TYPE,
    params: { outbox: "orders" },
    body: operation(),
    ...more,
  });
