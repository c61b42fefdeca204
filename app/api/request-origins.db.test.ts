import { expect, test, vi } from "vitest";
import { type Ask, JSON_TYPE, postOperation, refusal, servedApi } from "./api.fixture.ts";

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
