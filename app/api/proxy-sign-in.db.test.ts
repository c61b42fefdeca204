import { expect, test, vi } from "vitest";
import { PEER_HEADER } from "../_server/peer-header.ts";
import { ask, JSON_TYPE, postOperation, refusal, servedApi } from "./api.fixture.ts";

vi.mock("server-only", () => ({}));

const SECRET = "shared with the proxy";
const route = servedApi(async () => ({
  auth: {
    mode: "proxy",
    roles: [{ value: "team-orders", role: "operator", outboxes: ["orders"] }],
    default: "none",
    secret: { header: "X-Proxy-Secret", value: SECRET },
    peers: ["10.1.0.0/16"],
  },
}));
const FROM_PROXY = {
  "x-proxy-secret": SECRET,
  [PEER_HEADER]: "10.1.2.3",
  "x-forwarded-user": "vera",
  "x-forwarded-groups": "sales, team-orders",
};
const look = (headers: Record<string, string>) => ask(route().outboxes.GET, { headers });

test("whom the proxy names is signed in with the roles of their groups", async () => {
  expect((await look(FROM_PROXY)).status).toBe(200);
  expect((await postOperation(route(), { headers: { ...JSON_TYPE, ...FROM_PROXY } })).status).toBe(200);
});

test.each([
  ["without the secret", { "x-proxy-secret": "" }, 401, "did not come through the proxy"],
  ["with a wrong secret", { "x-proxy-secret": `${SECRET}x` }, 401, "did not come through the proxy"],
  ["from another address", { [PEER_HEADER]: "10.2.0.1" }, 401, "did not come from an address in auth.peers"],
  ["without a name", { "x-forwarded-user": "" }, 401, "The proxy named nobody"],
  ["with groups that no rule matches", { "x-forwarded-groups": "sales" }, 403, "has sales, which no rule"],
])("a request %s is refused with a sentence", async (_, change, status, sentence) => {
  const headers = { ...FROM_PROXY, ...change } as Record<string, string>;
  expect(await refusal(await look(headers))).toMatchObject({ status, message: expect.stringContaining(sentence) });
});
