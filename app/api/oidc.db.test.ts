import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { sessionSchema, signedOutSchema } from "#contracts/access/session.ts";
import type { Runtime } from "#services/runtime.ts";
import { CLIENT, startProvider, type TestProvider, walk } from "#tests/openid-provider.ts";
import { ask, JSON_TYPE, postOperation, servedApi } from "./api.fixture.ts";

vi.mock("server-only", () => ({}));
const { readNote } = await import("../_server/sign-in-cookies.ts");
const start = await import("./v1/session/oidc/start/route.ts");
const callback = await import("./v1/session/oidc/callback/route.ts");

const CONSOLE = "http://127.0.0.1:47011";
const CALLBACK = `${CONSOLE}/api/v1/session/oidc/callback`;
let provider: TestProvider;

const route = servedApi(async () => {
  provider = await startProvider(CALLBACK);
  return {
    auth: {
      ...{ mode: "oidc", issuer: provider.issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret, url: CONSOLE },
      roles: [
        { value: "ops-admin", role: "admin" },
        { value: "team-*", role: "viewer" },
        { value: "team-orders", role: "operator", outboxes: ["orders"] },
      ],
      default: "none",
    },
  };
});
beforeEach(() => Object.assign(provider, { groups: ["team-orders"], tamper: null }));
afterAll(() => provider.close());

const cookiesOf = (response: Response) =>
  Object.fromEntries(response.headers.getSetCookie().map((line) => /^([^=]+)=([^;]*)/.exec(line)?.slice(1) ?? []));

/** Up to the address to which the provider sends the browser back. */
async function begin(next = "/failures?outbox=orders") {
  const response = await ask(start.GET, { path: `/?next=${encodeURIComponent(next)}` });
  expect(response.status).toBe(302);
  const attempt = cookiesOf(response)["outbox-console-attempt"];
  const back = new URL(await walk(response.headers.get("location") ?? "", CALLBACK));
  return { cookie: `outbox-console-attempt=${attempt}`, path: `/${back.search}` };
}

async function finish({ cookie, path }: { cookie: string; path: string }) {
  const response = await ask(callback.GET, { headers: { cookie }, path });
  const cookies = cookiesOf(response);
  const { config } = (globalThis as unknown as { outboxConsoleRuntime: Runtime }).outboxConsoleRuntime;
  const note = await readNote(config, cookies["outbox-console-note"]);
  const session = cookies["outbox-console"];
  return { status: response.status, note, session, html: await response.text() };
}

test("a group signs in with the role of its rule, and the page that was asked for opens", async () => {
  const { session, note, html } = await finish(await begin());
  expect(note).toBeNull();
  expect(html).toContain('url=/failures?outbox=orders"');
  const cookie = `outbox-console=${session}`;
  const seen = sessionSchema.parse(await (await ask(route().session.GET, { headers: { cookie } })).json());
  expect(seen.actor).toMatchObject({ name: "vera@example.org", role: "viewer" });
  expect(seen.actor?.grants?.outboxes).toEqual({ orders: "operator" });
  expect((await postOperation(route(), { headers: { ...JSON_TYPE, cookie } })).status).toBe(200);
  const out = await ask(route().signOut.POST, { method: "POST", headers: { ...JSON_TYPE, cookie } });
  expect(signedOutSchema.parse(await out.json()).continueAt).toContain(`${provider.issuer}/session/end`);
  expect((await ask(route().outboxes.GET, { headers: { cookie } })).status).toBe(401);
});

test("a wrong group gets no session, and is shown what was received and which rules were tried", async () => {
  provider.groups = ["sales"];
  const { session, note, html } = await finish(await begin());
  expect(session).toBeUndefined();
  expect(html).toContain("url=/sign-in");
  expect(note?.problem).toBe("vera@example.org has no role in this console.");
  expect(note?.received).toMatchObject({ rolesClaim: "groups", form: "list", values: ["sales"] });
  expect(note?.received?.rules.map(({ matched }) => matched)).toEqual([false, false, false]);
});

test.each([
  ["for another program", { aud: "another" }, "is for another program than auth.clientId"],
  ["of another sign-in", { nonce: "another" }, "does not belong to this sign-in: its nonce differs"],
  ["that has expired", { exp: Math.floor(Date.now() / 1000) - 120 }, "has expired or is not valid yet"],
  ["of another provider", { iss: "https://another.example" }, "does not belong to this sign-in: its iss differs"],
])("an ID token %s lets nobody in", async (_, change, sentence) => {
  provider.tamper = (claims) => ({ ...claims, ...change });
  const { session, note } = await finish(await begin());
  expect(note?.problem).toContain(sentence);
  expect(session).toBeUndefined();
});

test("clocks may differ by the configured seconds", async () => {
  provider.tamper = (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 10 });
  expect((await finish(await begin())).session).toBeDefined();
});

test("a sign-in comes back once, to the browser that began it", async () => {
  const first = await begin();
  expect((await finish(first)).session).toBeDefined();
  const used = "This sign-in was used already, or took longer than 10 minutes: start again.";
  expect(await finish(first)).toMatchObject({ session: undefined, note: { problem: used } });
  const [mine, other] = [await begin(), await begin()];
  expect(await finish({ ...other, cookie: mine.cookie })).toMatchObject({
    session: undefined,
    note: { problem: used },
  });
  expect(await finish({ ...mine, cookie: "" })).toMatchObject({ session: undefined, note: { problem: used } });
});

test("a refusal of the provider is a sentence, and no other site is opened afterwards", async () => {
  const { cookie, path } = await begin("//evil.example");
  const state = new URLSearchParams(path.slice(2)).get("state");
  const refused = await finish({ cookie, path: `/?error=access_denied&state=${state}&iss=${provider.issuer}` });
  expect(refused.note?.problem).toMatch(/^127\.0\.0\.1:\d+ refused the sign-in\.$/);
  const { html } = await finish(await begin("//evil.example"));
  expect(html).toContain('url=/"');
});
