import { describe, expect, test, vi } from "vitest";
import { messageListSchema } from "#contracts/message/messages.ts";
import { outboxListSchema } from "#contracts/outbox/outboxes.ts";
import { healthSchema } from "#contracts/watch/health.ts";
import { ask, JSON_TYPE, operation, refusal, servedApi } from "./api.fixture.ts";

vi.mock("server-only", () => ({}));

const route = servedApi();

test("answers follow the contracts", async () => {
  outboxListSchema.parse(await (await ask(route().outboxes.GET)).json());
  const page = await ask(route().messages.GET, { params: { outbox: "orders" }, path: "/?state=pending&eventType=" });
  expect(messageListSchema.parse(await page.json()).messages).toHaveLength(3);
  const health = await ask(route().health.GET);
  expect(health.headers.get("content-type")).toBe("application/health+json");
  healthSchema.parse(await health.json());
  const head = await ask(route().health.HEAD, { method: "HEAD" });
  expect(await head.text()).toBe("");
});

test("what is not there is 404", async () => {
  expect(await refusal(await ask(route().messages.GET, { params: { outbox: "nope" } }))).toMatchObject({
    status: 404,
    code: "not_found",
  });
  for (const id of ["nope", "~", "00000000-0000-4000-8000-000000000009", "'; DROP TABLE outbox_events; --", "\0"])
    expect(await refusal(await ask(route().message.GET, { params: { outbox: "orders", id } }))).toMatchObject({
      status: 404,
    });
  expect(await refusal(await ask(route().rest.GET))).toMatchObject({ status: 404 });
  expect(await refusal(await ask(route().health.GET, { path: "/?outbox=nope" }))).toMatchObject({ status: 404 });
});

describe.each(["constructor", "__proto__", "toString", "hasOwnProperty"])("the name %s, which nothing has", (name) => {
  test.each(Object.keys(import.meta.glob("./v1/{outboxes,inboxes,relays}/\\[*\\]/**/route().ts")))(
    "is 404 at %s",
    async (path) => {
      const { GET, POST } = (await import(path)) as { GET?: unknown; POST?: unknown };
      const params = { outbox: name, inbox: name, id: "1" };
      const query = path.includes("/retention/") ? "/?keepDays=14" : "/";
      const bodies = {
        "/operations/preview/": { action: "retry", filter: {} },
        "/operations/": JSON.parse(operation()),
        "/corrections/": { version: "1", payload: "{}", reason: "a reason" },
        "/mapping/save/": { proposal: {}, version: "1", reason: "a reason" },
        "/mapping/": {},
        "/connector/": { act: "pause", reason: "a reason" },
        "/failure-groups/": { act: "release", from: "eva" },
        "/views/": { name: "a view", query: {}, columns: [] },
      };
      const special = Object.entries(bodies).find(([part]) => path.includes(part));
      const body = JSON.stringify(special ? special[1] : { reason: "a reason" });
      const answers = [
        ...(GET ? [ask(GET, { params, path: query })] : []),
        ...(POST ? [ask(POST, { method: "POST", headers: JSON_TYPE, body, params })] : []),
      ];
      for (const answer of await Promise.all(answers))
        expect(await refusal(answer)).toMatchObject({ status: 404, code: "not_found" });
    },
  );

  test("is 404 in health and audit", async () => {
    for (const handler of [route().health.GET, route().audit.GET])
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
    await ask(route().messages.GET, { params: { outbox: "orders" }, path: `/?${query}` }),
  );
  expect([status, code]).toEqual([400, "invalid_input"]);
});
