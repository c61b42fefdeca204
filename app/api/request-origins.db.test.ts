import { expect, test, vi } from "vitest";
import { type Ask, ask, JSON_TYPE, postOperation, refusal, servedApi } from "./api.fixture.ts";

vi.mock("server-only", () => ({}));

const route = servedApi();
const post = (more: Ask) => postOperation(route(), more);

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

test("a foreign page starts no read, also not by leading a person to it", async () => {
  const read = async (headers: Record<string, string>) =>
    (await ask(route().outboxes.GET, { headers, path: "/api/v1/outboxes" })).status;
  expect(await read({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" })).toBe(
    403,
  );
  expect(await read({ "sec-fetch-site": "same-site", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" })).toBe(403);
  expect(await read({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" })).toBe(
    403,
  );
  expect(
    await read({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" }),
  ).toBe(403);
  expect(await read({ "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" })).toBe(
    200,
  );
});

test("a misspelt parameter of the health endpoint is refused, because alerting would be weaker without it", async () => {
  const { GET } = await import("../api/health/route.ts");
  const asked = (query: string) =>
    GET(new Request(`http://127.0.0.1:47011/api/health?${query}`, { headers: { host: "127.0.0.1:47011" } }), {
      params: Promise.resolve({}),
    });
  expect(await refusal(await asked("strickt=1"))).toMatchObject({
    ...{ status: 400, code: "invalid_input" },
    message: expect.stringContaining("strict"),
  });
  expect((await asked("strict=1")).status).toBeLessThan(504);
});
