import type { Pool } from "pg";
import { beforeAll, expect, test, vi } from "vitest";
import type { Runtime } from "#services/runtime.ts";
import { JSON_TYPE, servedApi } from "./api.fixture.ts";
import { type Endpoint, everyEndpoint } from "./every-endpoint.fixture.ts";

vi.mock("server-only", () => ({}));

/** Planted wherever a message can carry it; found by no letters of anything else. */
const SECRET = "zq7secret";
const LIFECYCLE = {
  kind: "status" as const,
  pending: ["pending"],
  failed: ["failed"],
  published: ["sent"],
  dead: ["dead"],
};
const MAIL = `${SECRET}@example.org`;
servedApi(async () => ({
  outboxes: {
    orders: { store: "shop", table: "outbox_events", mode: "operate", corrections: true, lifecycle: LIFECYCLE },
  },
  masking: { paths: ["customer.note", "x-token"], patterns: ["email"], types: ["hidden.*"] },
}));
const runtime = () => (globalThis as unknown as { outboxConsoleRuntime: Runtime }).outboxConsoleRuntime;

const ids: string[] = [];

beforeAll(async () => {
  const { Pool } = await import("pg");
  const pool = new Pool({ connectionString: runtime().config.stores.shop?.url });
  const plant = async (type: string, payload: unknown, error: string) => {
    const { rows } = await pool.query(
      `INSERT INTO outbox_events (event_type, payload, headers, status, attempts, last_error, aggregate_id)
       VALUES ($1, $2, $3, 'failed', 3, $4, 'o-1') RETURNING id`,
      [type, JSON.stringify(payload), JSON.stringify({ "x-token": SECRET }), error],
    );
    ids.push(String(rows[0].id));
  };
  await pool.query("ALTER TABLE outbox_events ADD COLUMN IF NOT EXISTS headers jsonb");
  const columns = await pool.query(
    "SELECT column_name FROM information_schema.columns WHERE table_name = 'outbox_events'",
  );
  const names = columns.rows.map((row: { column_name: string }) => row.column_name);
  const added = [
    ["status", "text"],
    ["attempts", "integer"],
    ["last_error", "text"],
  ] as const;
  for (const [name, type] of added)
    if (!names.includes(name)) await pool.query(`ALTER TABLE outbox_events ADD COLUMN ${name} ${type}`);
  await plant("order.placed", { customer: { note: SECRET, mail: MAIL } }, `422 {"note":"${SECRET}","to":"${MAIL}"}`);
  await plant(
    "order.placed",
    { inner: JSON.stringify({ customer: { note: SECRET } }) },
    `Key (note)=(${SECRET}) exists`,
  );
  await plant("order.placed", { data: Buffer.from(JSON.stringify({ to: MAIL })).toString("base64") }, `no ${MAIL}`);
  await plant("hidden.one", { anything: SECRET }, "rejected");
  await recordOf(pool, `${MAIL} refused, note=${SECRET}`);
  await pool.end();
  await runtime().refresh("shop");
});

/** What relays of an older version, and before anything was masked, have written beside the messages. */
async function recordOf(pool: Pool, said: string): Promise<void> {
  const outage = { code: "http_422", message: said, since: new Date().toISOString(), nextProbeAt: null };
  await pool.query(
    `INSERT INTO outbox_console.relay_instance (id, outbox, host, pid, version, state, source, sink, last_error, last_error_at, breaker, routes, latency)
     VALUES ('old', 'orders', 'h', 1, '0.0.1', 'owner', 'polling', $1, $2, now(), $3, $4, '{}')`,
    [
      JSON.stringify({ name: "s", kind: "http", address: "http://h" }),
      said,
      JSON.stringify(outage),
      JSON.stringify([{ ...outage, kind: "topic", name: "t", aggregates: 1 }]),
    ],
  );
  await pool.query(
    `INSERT INTO outbox_console.pause (outbox, scope, subject, reason, by, message_id) VALUES ('orders', 'hold', 'o-1', $1, 'relay', $2)`,
    [`message ${ids[0]} is dead (${said})`, ids[0]],
  );
  await pool.query(
    `INSERT INTO outbox_console_app.finding (outbox, rule, subject, since, seen_at, detail) VALUES ('orders', 'dead', 's', now(), now(), $1)`,
    [JSON.stringify({ title: "Dead", severity: "fail", sentence: `1 is dead: ${said}` })],
  );
  await pool.query(
    `INSERT INTO outbox_console_app.alert_delivery (webhook, outbox, event, status, summary) VALUES ('w', 'orders', 'trigger', 'fail', $1)`,
    [`1 is dead: ${said}`],
  );
  await pool.query(
    `INSERT INTO outbox_console_app.incident (title, since, opened_by, outboxes) VALUES ('dead', now() - interval '1 hour', 'ada', '["orders"]')`,
  );
}

const paramsOf = (id: string) => ({ outbox: "orders", id, group: "none", inbox: "none", store: "shop", table: "t" });

test("no endpoint answers with what is masked", async () => {
  const asked = (await everyEndpoint()).filter(({ path }) => !path.endsWith("/reveal"));
  const queries = ["/", "/?part=headers", "/?state=all&payload=1&format=ndjson", "/?state=failing", "/?by=type"];
  let answered = 0;
  for (const endpoint of asked)
    for (const id of ids)
      for (const path of endpoint.method === "GET" ? queries : ["/"]) {
        const body = { body: JSON.stringify(bodyFor(endpoint, id)), headers: JSON_TYPE };
        const params = paramsOf(endpoint.path.includes("/incidents/") ? "1" : id);
        const response = await endpoint.ask(params, endpoint.method === "POST" ? body : { path });
        const text = await response.text();
        if (response.status < 400) answered += 1;
        expect.soft(text, `${endpoint.method} ${endpoint.path}${path}: ${response.status}`).not.toContain(SECRET);
        if (!endpoint.path.includes("{id}") && endpoint.method === "GET" && id !== ids[0]) break;
      }
  expect(answered).toBeGreaterThan(60);
});

/** Of previews, whose answers are about the messages themselves; others are refused for their body. */
function bodyFor({ path }: Endpoint, id: string): object {
  if (path.endsWith("/operations/preview")) return { action: "dead-letter", targets: [{ id, version: "1" }] };
  return {};
}

async function endpointOf(end: string): Promise<Endpoint> {
  const found = (await everyEndpoint()).find(({ path }) => path.endsWith(end));
  if (!found) throw new Error(`There is no endpoint that ends with ${end}.`);
  return found;
}

async function reveal(id: string, reason = "customer asked"): Promise<Response> {
  const body = JSON.stringify({ reason });
  return (await endpointOf("/reveal")).ask(paramsOf(id), { body, headers: JSON_TYPE });
}

test("a message is revealed with a reason, which the audit keeps, and what it says stays out of the audit", async () => {
  const answer = await reveal(ids[0] ?? "");
  expect(answer.status).toBe(200);
  const { message, decoded } = await answer.json();
  expect(message.payload.text).toContain(MAIL);
  expect(message.message.lastError).toContain(SECRET);
  expect(JSON.stringify(decoded)).toContain(SECRET);
  const text = await (await (await endpointOf("/v1/audit")).ask({})).text();
  expect(text).toContain('"message.reveal"');
  expect(text).toContain("customer asked");
  expect(text).not.toContain(SECRET);
  expect((await reveal(ids[0] ?? "", "")).status).toBe(400);
});

test("what a mask stands for is never sent as the mask", async () => {
  const { message } = await (await reveal(ids[0] ?? "")).json();
  const payload = '{"customer":{"note":"[masked]"}}';
  const body = JSON.stringify({ version: message.message.version, payload, reason: "fix it" });
  const answer = await (await endpointOf("/corrections")).ask(paramsOf(ids[0] ?? ""), { body, headers: JSON_TYPE });
  expect((await answer.json()).error.message).toContain("reveal the message, then edit it");
});

test("the page says what is masked and what is hidden", async () => {
  const of = async (id: string) => (await (await endpointOf("/messages/{id}")).ask(paramsOf(id))).json();
  const first = await of(ids[0] ?? "");
  expect(first.masking).toEqual({ payload: "masked", headers: "masked", values: 3, reasons: [], noReveal: null });
  expect(JSON.parse(first.payload.text)).toEqual({ customer: { note: "[masked]", mail: "[masked]" } });
  const hidden = await of(ids[3] ?? "");
  expect(hidden.masking).toMatchObject({ payload: "hidden", headers: "hidden" });
  expect(hidden.payload.text).toBe("");
});

test("another mapping does not show the payload as something else", async () => {
  const columns = { aggregateId: "headers" };
  const body = JSON.stringify({ columns, lifecycle: LIFECYCLE, timeZone: "UTC" });
  const endpoint = (await everyEndpoint()).find(
    ({ path, method }) => path.endsWith("{outbox}/mapping") && method === "POST",
  );
  const text = await (await endpoint?.ask(paramsOf(""), { body, headers: JSON_TYPE }))?.text();
  expect(text).toContain('"aggregateId":"[masked]"');
  expect(text).not.toContain(SECRET);
});
