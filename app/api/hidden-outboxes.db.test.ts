import { beforeAll, expect, test, vi } from "vitest";
import { madeTokenSchema } from "#contracts/access/tokens.ts";
import type { Runtime } from "#services/runtime.ts";
import { ask, JSON_TYPE, postOperation, refusal, servedApi } from "./api.fixture.ts";
import { type Endpoint, everyEndpoint } from "./every-endpoint.fixture.ts";

vi.mock("server-only", () => ({}));

/** Two outboxes in one store. Everything that names the hidden one carries this word. */
const HIDDEN = "zzhidden";
const route = servedApi(async () => ({
  outboxes: {
    orders: { store: "shop", table: "outbox_events", mode: "operate" },
    [HIDDEN]: { store: "shop", table: `${HIDDEN}_outbox`, mode: "operate" },
  },
  inboxes: { [`${HIDDEN}_in`]: { store: "shop", table: `${HIDDEN}_inbox`, outbox: HIDDEN } },
  alerts: { webhooks: { [`${HIDDEN}_hook`]: { url: "https://alerts.example/x", outboxes: [HIDDEN] } } },
}));
const runtime = () => (globalThis as unknown as { outboxConsoleRuntime: Runtime }).outboxConsoleRuntime;

/** A token for `orders`, and what was done to the hidden outbox before it looks. */
let bearer: Record<string, string> = {};
let values: Record<string, string> = {};

beforeAll(async () => {
  const made = await madeByAdmin("/api/v1/tokens", {}, { name: "narrow", scope: "act", outboxes: ["orders"], days: 7 });
  bearer = { authorization: `Bearer ${madeTokenSchema.parse(made).secret}` };
  await makeHidden();
  const operation = await (await postOperation(route(), { params: { outbox: HIDDEN } })).json();
  const incident = await madeByAdmin("/api/v1/incidents", {}, { title: `${HIDDEN} is down`, outboxes: [HIDDEN] });
  await madeByAdmin("/api/v1/deploys", {}, { service: `${HIDDEN}-service`, version: "1", outbox: HIDDEN });
  const view = { name: `${HIDDEN} view`, query: {}, columns: [] };
  await madeByAdmin("/api/v1/outboxes/{outbox}/views", { outbox: HIDDEN }, view);
  await runtime().records?.queueAlert({
    ...{ webhook: `${HIDDEN}_hook`, outbox: HIDDEN, event: "fail", status: "fail", summary: HIDDEN },
  } as never);
  values = {
    ...{ outbox: HIDDEN, inbox: `${HIDDEN}_in`, store: "shop", table: `${HIDDEN}_outbox`, webhook: `${HIDDEN}_hook` },
    ...{
      group: "none",
      id: String((operation as { id: string }).id),
      incident: String((incident as { id: number }).id),
    },
  };
});

async function makeHidden() {
  const { Pool } = await import("pg");
  const pool = new Pool({ connectionString: runtime().config.stores.shop?.url });
  await pool.query(`CREATE TABLE ${HIDDEN}_outbox (LIKE outbox_events INCLUDING ALL)`);
  await pool.query(`INSERT INTO ${HIDDEN}_outbox (event_type, payload) VALUES ('${HIDDEN}', '{"a":"${HIDDEN}"}')`);
  await pool.query(`CREATE TABLE ${HIDDEN}_inbox (message_id uuid PRIMARY KEY, processed_at timestamptz)`);
  await pool.end();
  await runtime().refresh("shop");
}

async function madeByAdmin(path: string, params: Record<string, string>, body: object): Promise<unknown> {
  const endpoint = (await everyEndpoint()).find((one) => one.method === "POST" && one.path === path);
  const response = await endpoint?.ask(params, { headers: JSON_TYPE, body: JSON.stringify(body) });
  expect(response?.status).toBe(200);
  return response?.json();
}

const idOf = ({ path }: Endpoint) => (path.includes("/incidents/") ? (values.incident ?? "") : (values.id ?? ""));
const OWN = ["/api/v1/session", "/api/v1/session/sign-out", "/api/openapi.json"];

test("whoever may see one outbox finds nothing of another by any endpoint", async () => {
  const asked = (await everyEndpoint()).filter(({ path }) => !OWN.includes(path));
  expect(asked.length).toBeGreaterThan(60);
  for (const endpoint of asked) {
    const params = { ...values, id: idOf(endpoint) };
    const more =
      endpoint.method === "POST" ? { body: "{}", headers: { ...JSON_TYPE, ...bearer } } : { headers: bearer };
    const response = await endpoint.ask(params, {
      ...more,
      path: endpoint.path.includes("raw") ? "/?part=payload" : "/",
    });
    const text = await response.text();
    const at = `${endpoint.method} ${endpoint.path}: ${response.status} ${text.slice(0, 200)}`;
    if (/\{(outbox|inbox|store|webhook)\}/.test(endpoint.path))
      expect([400, 403, 404].includes(response.status), at).toBe(true);
    // A refusal may repeat the name that the request had.
    if (response.status < 400) expect(text, at).not.toContain(HIDDEN);
  }
});

test("what the same requests answer to somebody who sees everything names it", async () => {
  const lists = [
    "/api/v1/outboxes",
    "/api/v1/inboxes",
    "/api/v1/incidents",
    "/api/v1/audit",
    "/api/v1/deploys",
    "/metrics",
  ];
  for (const endpoint of (await everyEndpoint()).filter(({ path, method }) => method === "GET" && lists.includes(path)))
    expect(await (await endpoint.ask({})).text(), endpoint.path).toContain(HIDDEN);
});

test("filters and commands that name the hidden outbox say that it does not exist", async () => {
  const get = async (path: string, query: string) => {
    const endpoint = (await everyEndpoint()).find((one) => one.method === "GET" && one.path === path);
    const response = await endpoint?.ask({}, { headers: bearer, path: `/?${query}` });
    return response ? { status: response.status, text: await response.text() } : undefined;
  };
  for (const path of ["/api/v1/audit", "/api/v1/operations", "/api/health"])
    expect((await get(path, `outbox=${HIDDEN}`))?.status, path).toBe(404);
  expect((await get("/api/v1/deploys", `outbox=${HIDDEN}`))?.text).toContain('"deploys":[]');
  const pause = (await everyEndpoint()).find(({ path }) => path === "/api/v1/operations/{id}/pause");
  const body = JSON.stringify({ reason: "a reason" });
  const response = await pause?.ask({ id: values.id ?? "" }, { headers: { ...JSON_TYPE, ...bearer }, body });
  expect(response && (await refusal(response))).toMatchObject({ status: 404 });
});

test("in its own outbox it acts, and reports deploys", async () => {
  expect((await ask(route().messages.GET, { headers: bearer, params: { outbox: "orders" } })).status).toBe(200);
  expect((await postOperation(route(), { headers: { ...JSON_TYPE, ...bearer } })).status).toBe(200);
  const report = (await everyEndpoint()).find((one) => one.method === "POST" && one.path === "/api/v1/deploys");
  const deploy = (outbox: string | null) =>
    report?.ask(
      {},
      { headers: { ...JSON_TYPE, ...bearer }, body: JSON.stringify({ service: "s", version: "2", outbox }) },
    );
  expect((await deploy("orders"))?.status).toBe(200);
  expect((await deploy(null))?.status).toBe(403);
});

test("a list is as long for it as there are entries of its own, however many newer ones are hidden", async () => {
  const hidden = { service: `${HIDDEN}-service`, version: "2", outbox: HIDDEN };
  const alert = (outbox: string) =>
    runtime().records?.queueAlert({
      ...{ webhook: "pager", outbox, event: "test", status: "fail", summary: `${outbox} fails` },
    });
  const incident = (outbox: string) =>
    madeByAdmin("/api/v1/incidents", {}, { title: `${outbox} fails`, outboxes: [outbox], besides: [1, 2, 3] });
  await alert("orders");
  await incident("orders");
  await madeByAdmin("/api/v1/deploys", {}, { service: "orders-service", version: "1", outbox: "orders" });
  for (let n = 0; n < 51; n += 1) await alert(HIDDEN);
  await incident(HIDDEN);
  await madeByAdmin("/api/v1/deploys", {}, hidden);
  const get = async (path: string, query = "") => {
    const endpoint = (await everyEndpoint()).find((one) => one.method === "GET" && one.path === path);
    return (await endpoint?.ask({}, { headers: bearer, path: `/?${query}` }))?.json();
  };
  expect(await get("/api/v1/alerts")).toMatchObject({ alerts: [{ summary: "orders fails" }] });
  expect(await get("/api/v1/incidents", "limit=1")).toMatchObject({ incidents: [{ title: "orders fails" }] });
  expect(await get("/api/v1/deploys", "limit=1")).toMatchObject({ deploys: [{ service: "orders-service" }] });
});
