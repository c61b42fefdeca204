import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { errorBodySchema } from "#contracts/common.ts";
import { healthSchema } from "#contracts/health.ts";
import { messageListSchema } from "#contracts/messages.ts";
import { outboxListSchema } from "#contracts/outboxes.ts";
import { sessionListSchema } from "#contracts/session.ts";
import { hashPassword } from "#services/auth/password.ts";
import type { Runtime } from "#services/runtime.ts";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";

vi.mock("server-only", () => ({}));

const database = testDatabase("migrated");
const holder = globalThis as typeof globalThis & { outboxConsoleRuntime?: Runtime };
const ORIGIN = "http://127.0.0.1:47011";

type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;

async function routes() {
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

let route: Awaited<ReturnType<typeof routes>>;

beforeAll(async () => {
  await database().pool.query(OUTBOX_EVENTS);
  await database().pool.query(
    "INSERT INTO outbox_events (event_type, payload) SELECT 'a', '{}' FROM generate_series(1, 3)",
  );
  holder.outboxConsoleRuntime = openTestRuntime(database().url, {
    outboxes: { orders: { store: "shop", table: "outbox_events", mode: "operate" } },
  });
  route = await routes();
});

afterAll(() => holder.outboxConsoleRuntime?.close());

interface Ask {
  method?: string;
  headers?: Record<string, string>;
  body?: BodyInit;
  params?: Record<string, string>;
  path?: string;
}

function ask(
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

async function refusal(response: Response) {
  const text = await response.text();
  expect(text).not.toMatch(/SELECT |postgres(ql)?:\/\/|\n\s+at |node_modules/);
  const { error } = errorBodySchema.parse(JSON.parse(text));
  expect(error.requestId).toBe(response.headers.get("x-request-id"));
  expect(response.headers.get("cache-control")).toBe("no-store");
  return { status: response.status, code: error.code, message: error.message };
}

const JSON_TYPE = { "content-type": "application/json" };
const operation = (change: object = {}) =>
  JSON.stringify({
    action: "dead-letter",
    targets: [{ id: "00000000-0000-4000-8000-000000000001", version: "1" }],
    reason: "a reason",
    ...change,
  });
const post = (more: Ask) =>
  ask(route.operations.POST, {
    method: "POST",
    headers: JSON_TYPE,
    params: { outbox: "orders" },
    body: operation(),
    ...more,
  });

test("answers follow the contracts", async () => {
  outboxListSchema.parse(await (await ask(route.outboxes.GET)).json());
  const page = await ask(route.messages.GET, { params: { outbox: "orders" }, path: "/?state=pending&eventType=" });
  expect(messageListSchema.parse(await page.json()).messages).toHaveLength(3);
  const health = await ask(route.health.GET);
  expect(health.headers.get("content-type")).toBe("application/health+json");
  healthSchema.parse(await health.json());
  const head = await ask(route.health.HEAD, { method: "HEAD" });
  expect(await head.text()).toBe("");
});

test("what is not there is 404", async () => {
  expect(await refusal(await ask(route.messages.GET, { params: { outbox: "nope" } }))).toMatchObject({
    status: 404,
    code: "not_found",
  });
  for (const id of ["nope", "~", "00000000-0000-4000-8000-000000000009", "'; DROP TABLE outbox_events; --", "\0"])
    expect(await refusal(await ask(route.message.GET, { params: { outbox: "orders", id } }))).toMatchObject({
      status: 404,
    });
  expect(await refusal(await ask(route.rest.GET))).toMatchObject({ status: 404 });
  expect(await refusal(await ask(route.health.GET, { path: "/?outbox=nope" }))).toMatchObject({ status: 404 });
});

describe.each(["constructor", "__proto__", "toString", "hasOwnProperty"])("the name %s, which nothing has", (name) => {
  test.each(Object.keys(import.meta.glob("./v1/{outboxes,inboxes,relays}/\\[*\\]/**/route.ts")))(
    "is 404 at %s",
    async (path) => {
      const { GET, POST } = (await import(path)) as { GET?: unknown; POST?: unknown };
      const params = { outbox: name, inbox: name, id: "1" };
      const body = JSON.stringify(path.includes("/operations/") ? JSON.parse(operation()) : { reason: "a reason" });
      const answers = [
        ...(GET ? [ask(GET, { params })] : []),
        ...(POST ? [ask(POST, { method: "POST", headers: JSON_TYPE, body, params })] : []),
      ];
      for (const answer of await Promise.all(answers))
        expect(await refusal(answer)).toMatchObject({ status: 404, code: "not_found" });
    },
  );

  test("is 404 in health and audit", async () => {
    for (const handler of [route.health.GET, route.audit.GET])
      expect(await refusal(await ask(handler, { path: `/?outbox=${name}` }))).toMatchObject({ status: 404 });
  });
});

test.each([
  "state=nope",
  "limit=0",
  "limit=1e9",
  "limit=x",
  "cursor=forged",
  "from=yesterday",
  "from=0000-01-01T00:00:00Z",
  "attemptsMin=-1",
  "attemptsMin=99999999999",
  "q=%00",
  `q=${"x".repeat(301)}`,
])("?%s is 400, with the path of what is wrong", async (query) => {
  const { status, code } = await refusal(
    await ask(route.messages.GET, { params: { outbox: "orders" }, path: `/?${query}` }),
  );
  expect([status, code]).toEqual([400, "invalid_input"]);
});

describe("bodies", () => {
  test("of 10 MB are 413, declared or not", async () => {
    const large = "x".repeat(10 * 1024 * 1024);
    expect(
      await refusal(await post({ body: large, headers: { ...JSON_TYPE, "content-length": String(large.length) } })),
    ).toMatchObject({ status: 413 });
    let sent = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        if (sent > 160) controller.close();
        else controller.enqueue(new Uint8Array(65_536));
      },
    });
    expect(await refusal(await post({ body: stream }))).toMatchObject({ status: 413, code: "body_too_large" });
    expect(sent).toBeLessThan(40);
  });

  test.each([
    ["not JSON", "{", JSON_TYPE],
    ["empty", "", JSON_TYPE],
    ["of another type", operation(), { "content-type": "text/plain" }],
    ["without a type", operation(), {}],
    ["of a type that begins alike", operation(), { "content-type": "application/json-patch+json" }],
    ["of an unknown action", operation({ action: "explode" }), JSON_TYPE],
    ["without targets", operation({ targets: [] }), JSON_TYPE],
    [
      "of 101 targets",
      operation({ targets: Array.from({ length: 101 }, (_, index) => ({ id: String(index), version: "1" })) }),
      JSON_TYPE,
    ],
    ["without a reason", operation({ reason: "  " }), JSON_TYPE],
    ["with a reason no database can hold", operation({ reason: "a\0bc" }), JSON_TYPE],
    ["with a key that means nothing", operation({ force: true }), JSON_TYPE],
    ["null", "null", JSON_TYPE],
    ["with a prototype", '{"__proto__": {"action": "retry"}}', JSON_TYPE],
  ])("%s are 400", async (_, body, headers) => {
    expect(await refusal(await post({ body, headers: headers as Record<string, string> }))).toMatchObject({
      status: 400,
      code: "invalid_input",
    });
  });

  test("with an Idempotency-Key that is none are 400", async () => {
    expect(await refusal(await post({ headers: { ...JSON_TYPE, "idempotency-key": "a b" } }))).toMatchObject({
      status: 400,
    });
  });
});

test.each([
  ["another host", { host: "evil.example" }],
  ["a host that begins well", { host: "127.0.0.1.evil.example" }],
  ["no host", { host: "" }],
  ["what is no address of this machine", { host: "127.999.1.1" }],
  ["another origin", { origin: "https://evil.example" }],
  ["another port's origin", { origin: "http://127.0.0.1:1" }],
  ["an opaque origin", { origin: "null" }],
  ["another site without an origin", { "sec-fetch-site": "cross-site" }],
])("from %s is 403", async (_, headers) => {
  expect(
    await refusal(await post({ headers: { ...JSON_TYPE, ...(headers as Record<string, string>) } })),
  ).toMatchObject({ status: 403, code: "forbidden" });
});

test.each([
  ["this origin", { origin: "http://127.0.0.1:47011" }],
  ["no page at all", {}],
  ["localhost", { host: "localhost:47011", origin: "http://localhost:47011" }],
  ["an IPv6 loopback", { host: "[::1]:47011" }],
])("from %s is answered", async (_, headers) => {
  expect((await post({ headers: { ...JSON_TYPE, ...(headers as Record<string, string>) } })).status).toBe(200);
});

describe("with passwords", () => {
  let open: Runtime | undefined;
  beforeAll(async () => {
    open = holder.outboxConsoleRuntime;
    const hashes = {
      viewer: await hashPassword("look"),
      operator: await hashPassword("act"),
      admin: await hashPassword("rule"),
    };
    holder.outboxConsoleRuntime = openTestRuntime(database().url, {
      outboxes: { orders: { store: "shop", table: "outbox_events", mode: "operate" } },
      auth: { mode: "password", passwords: hashes },
    });
  });
  afterAll(async () => {
    await holder.outboxConsoleRuntime?.close();
    if (open) holder.outboxConsoleRuntime = open;
  });
  const basic = (password: string) => ({
    authorization: `Basic ${Buffer.from(`vera:${password}`).toString("base64")}`,
  });
  const signIn = (password: string) =>
    ask(route.session.POST, { method: "POST", headers: JSON_TYPE, body: JSON.stringify({ name: "vera", password }) });

  test("nobody sees anything but status words", async () => {
    expect(await refusal(await ask(route.outboxes.GET))).toMatchObject({ status: 401, code: "unauthenticated" });
    expect(await refusal(await post({}))).toMatchObject({ status: 401 });
    const health = healthSchema.parse(await (await ask(route.health.GET)).json());
    expect(health.output).toBeUndefined();
    expect(JSON.stringify(health)).not.toMatch(/message|observed|waits/);
  });

  test("a viewer looks and may not act; an operator may", async () => {
    expect((await ask(route.outboxes.GET, { headers: basic("look") })).status).toBe(200);
    expect(await refusal(await post({ headers: { ...JSON_TYPE, ...basic("look") } }))).toMatchObject({
      status: 403,
      code: "forbidden",
    });
    expect((await post({ headers: { ...JSON_TYPE, ...basic("act") } })).status).toBe(200);
    expect(await refusal(await ask(route.outboxes.GET, { headers: basic("wrong") }))).toMatchObject({ status: 401 });
    expect((await ask(route.health.GET, { headers: basic("look") })).status).toBeLessThan(600);
  });

  test("a session lasts in its cookie; a forged or damaged one is nobody's", async () => {
    const response = await signIn("look");
    const cookie = response.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/HttpOnly; SameSite=Strict/);
    const [value = ""] = cookie.split(";");
    expect((await ask(route.outboxes.GET, { headers: { cookie: value } })).status).toBe(200);
    for (const bad of [
      "outbox-console=",
      "outbox-console=garbage",
      value.replace("Fe26.2*1*", "Fe26.2*1*0"),
      value.replace(/.{12}~2$/, "AAAAAAAAAAAA~2"),
      value.slice(0, -10),
      "outbox-console=Fe26.2*1*a*b*c*d*e*f~2",
    ])
      expect(await refusal(await ask(route.outboxes.GET, { headers: { cookie: bad } })), bad).toMatchObject({
        status: 401,
      });
    expect(await refusal(await signIn("nope"))).toMatchObject({ status: 401 });
  });

  test.each([
    ["a zero byte", "ve\0ra"],
    ["5,000 characters", "v".repeat(5000)],
    ["a control character", "ve\u001bra"],
    ["a line break", "ve\nra"],
    ["a change of direction", "ve\u202Era"],
    ["characters without a width", "ve\u200Bra"],
    ["nothing but spaces", "   "],
  ])("a name with %s is refused, by sign-in and by HTTP Basic alike", async (_, name) => {
    const authorization = `Basic ${Buffer.from(`${name}:look`).toString("base64")}`;
    expect(await refusal(await ask(route.outboxes.GET, { headers: { authorization } }))).toMatchObject({ status: 400 });
    const body = JSON.stringify({ name, password: "look" });
    expect(await refusal(await ask(route.session.POST, { method: "POST", headers: JSON_TYPE, body }))).toMatchObject({
      status: 400,
    });
  });

  test("a name in any script is taken", async () => {
    for (const name of ["Žofie", "علی\u200Cرضا", "山田 太郎", "O'Neil (on call)"]) {
      const authorization = `Basic ${Buffer.from(`${name}:look`).toString("base64")}`;
      expect((await ask(route.outboxes.GET, { headers: { authorization } })).status, name).toBe(200);
    }
  });

  test("endpoints for anyone ignore credentials that are wrong, also while guessing is throttled", async () => {
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => ask(route.outboxes.GET, { headers: basic(`guess ${index}`) })),
    );
    expect(await refusal(await ask(route.outboxes.GET, { headers: basic("guess 31") }))).toMatchObject({
      status: 429,
      code: "too_many_requests",
    });
    const health = await ask(route.health.GET, { headers: basic("wrong") });
    expect(health.headers.get("content-type")).toBe("application/health+json");
    expect(healthSchema.parse(await health.json()).output).toBeUndefined();
    expect(await (await ask(route.session.GET, { headers: basic("wrong") })).json()).toMatchObject({ actor: null });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ask(route.metrics.GET, { headers: basic("rule") })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const detailed = await ask(route.health.GET, { headers: basic("look") });
    expect(healthSchema.parse(await detailed.json()).description).toBeDefined();
  });

  test("signing out ends the session on the server; an admin ends another's, and nobody else does", async () => {
    const cookieOf = async (password: string) => {
      const response = await signIn(password);
      return { cookie: (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "" };
    };
    const [viewer, other, admin] = [await cookieOf("look"), await cookieOf("look"), await cookieOf("rule")];
    const signedIn = async (headers: { cookie: string }) => (await ask(route.outboxes.GET, { headers })).status === 200;
    expect(await signedIn(viewer)).toBe(true);
    await ask(route.signOut.POST, { method: "POST", headers: { ...JSON_TYPE, ...viewer } });
    expect(await signedIn(viewer)).toBe(false);
    expect(await refusal(await ask(route.sessions.GET, { headers: other }))).toMatchObject({ status: 403 });
    const list = sessionListSchema.parse(await (await ask(route.sessions.GET, { headers: admin })).json());
    const [target] = list.sessions.filter(({ role }) => role === "viewer");
    const end = (headers: { cookie: string }, id = target?.id ?? "") =>
      ask(route.end.POST, { method: "POST", headers: { ...JSON_TYPE, ...headers }, params: { id } });
    expect(await refusal(await end(other))).toMatchObject({ status: 403 });
    expect(await signedIn(other)).toBe(true);
    sessionListSchema.parse(await (await end(admin)).json());
    expect(await signedIn(other)).toBe(false);
    expect(await refusal(await end(admin, "nope"))).toMatchObject({ status: 404 });
    expect(await signedIn(admin)).toBe(true);
  });
});
