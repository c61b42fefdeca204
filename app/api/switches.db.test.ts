import { expect, test, vi } from "vitest";
import { sessionSchema } from "#contracts/access/session.ts";
import { outboxDetailSchema } from "#contracts/outbox/outboxes.ts";
import type { Runtime } from "#services/runtime.ts";
import { ask, JSON_TYPE, postOperation, refusal, servedApi } from "./api.fixture.ts";
import { everyEndpoint } from "./every-endpoint.fixture.ts";

vi.mock("server-only", () => ({}));

const route = servedApi(async () => ({
  actions: { retry: false },
  outboxes: {
    orders: { store: "shop", table: "outbox_events", mode: "operate", actions: { "dead-letter": false, bulk: false } },
  },
}));
const config = () => (globalThis as unknown as { outboxConsoleRuntime: Runtime }).outboxConsoleRuntime.config;

/** What a read-only console answers all the same. */
const STILL = [
  "POST /api/v1/outboxes/{outbox}/messages/{id}/reveal",
  "POST /api/v1/outboxes/{outbox}/operations/preview",
  "POST /api/v1/outboxes/{outbox}/mapping",
  "POST /api/v1/stores/{store}/tables/{table}/mapping",
  "POST /api/v1/session",
  "POST /api/v1/session/sign-out",
  "POST /api/v1/sessions/{id}/end",
  "POST /api/v1/tokens",
  "POST /api/v1/tokens/{id}/revoke",
];

test("a read-only console refuses whatever changes something, and says by which setting", async () => {
  config().console.readOnly = true;
  try {
    const posts = (await everyEndpoint()).filter(({ method }) => method === "POST");
    const answers = await Promise.all(
      posts.map(async (endpoint) => {
        const response = await endpoint.ask({}, { headers: JSON_TYPE, body: "{}" });
        const { status, message } = await refusal(response).catch(() => ({ status: response.status, message: "" }));
        return { at: `POST ${endpoint.path}`, refused: status === 403 && message.includes("console.readOnly") };
      }),
    );
    expect(
      answers
        .filter(({ refused }) => !refused)
        .map(({ at }) => at)
        .sort(),
    ).toEqual([...STILL].sort());
    const session = sessionSchema.parse(await (await ask(route().session.GET)).json());
    expect(session.readOnly).toBe(true);
  } finally {
    config().console.readOnly = false;
  }
});

test("a single action is refused with its setting, everywhere or for one outbox", async () => {
  const act = (action: string) =>
    postOperation(route(), {
      body: JSON.stringify({
        action,
        targets: [{ id: "00000000-0000-4000-8000-000000000001", version: "1" }],
        reason: "a reason",
      }),
    }).then(refusal);
  expect(await act("retry")).toMatchObject({
    status: 403,
    message: expect.stringContaining(" actions.retry is false"),
  });
  expect(await act("dead-letter")).toMatchObject({
    status: 403,
    message: expect.stringContaining("outboxes.orders.actions.dead-letter is false"),
  });
  expect(
    (
      await postOperation(route(), {
        body: JSON.stringify({
          action: "archive",
          targets: [{ id: "00000000-0000-4000-8000-000000000001", version: "1" }],
          reason: "a reason",
        }),
      })
    ).status,
  ).toBe(200);
});

test("an operation over a filter is refused where bulk is switched off", async () => {
  const body = JSON.stringify({ action: "archive", filter: { state: "published" }, reason: "a reason" });
  expect(await refusal(await postOperation(route(), { body }))).toMatchObject({
    status: 403,
    message: expect.stringContaining("outboxes.orders.actions.bulk is false"),
  });
});

test("the outbox says what is switched off, so that buttons can", async () => {
  const [one] = (await everyEndpoint()).filter(({ path }) => path === "/api/v1/outboxes/{outbox}");
  const { capabilities } = outboxDetailSchema.parse(await (await one?.ask({ outbox: "orders" }))?.json());
  expect(capabilities.actions.retry?.reason).toContain("actions.retry");
  expect(capabilities.actions.bulk?.reason).toContain("outboxes.orders.actions.bulk");
  expect(capabilities.actions.archive?.possible).toBe(true);
});
