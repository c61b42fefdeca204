import { expect, test, vi } from "vitest";
import { madeTokenSchema, tokenListSchema } from "#contracts/access/tokens.ts";
import { auditListSchema } from "#contracts/message/messages.ts";
import { hashPassword } from "#services/auth/password.ts";
import type { Runtime } from "#services/runtime.ts";
import { PEER_HEADER } from "../_server/peer-header.ts";
import { ask, JSON_TYPE, postOperation, refusal, servedApi } from "./api.fixture.ts";
import { type Endpoint, everyEndpoint } from "./every-endpoint.fixture.ts";

vi.mock("server-only", () => ({}));

const route = servedApi(async () => ({ auth: { mode: "password", passwords: { admin: await hashPassword("rule") } } }));
const ADMIN = { authorization: `Basic ${Buffer.from("ada:rule").toString("base64")}` };
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

const find = async (method: Endpoint["method"], path: string): Promise<Endpoint> => {
  const found = (await everyEndpoint()).find((one) => one.method === method && one.path === path);
  if (!found) throw new Error(`There is no ${method} ${path}`);
  return found;
};

async function make(token: object) {
  const endpoint = await find("POST", "/api/v1/tokens");
  const body = JSON.stringify({ name: "pipeline", scope: "read", days: 7, ...token });
  const response = await endpoint.ask({}, { headers: { ...JSON_TYPE, ...ADMIN }, body });
  expect(response.status).toBe(200);
  return madeTokenSchema.parse(await response.json());
}

test("a token reads or acts by its scope, and its name is in the audit", async () => {
  const read = await make({ name: "reader" });
  const act = await make({ name: "script", scope: "act" });
  expect((await ask(route().outboxes.GET, { headers: bearer(read.secret) })).status).toBe(200);
  const refused = await postOperation(route(), { headers: { ...JSON_TYPE, ...bearer(read.secret) } });
  expect(await refusal(refused)).toMatchObject({
    ...{ status: 403, code: "forbidden" },
    message: "This needs the role operator, and this API token has the scope read: make one that may.",
  });
  const tokensOf = await (await find("GET", "/api/v1/tokens")).ask({}, { headers: bearer(act.secret) });
  expect(await refusal(tokensOf)).toMatchObject({
    ...{ status: 403, code: "forbidden" },
    message: "This needs the role admin, which no API token has: a person does it, signed in.",
  });
  expect((await postOperation(route(), { headers: { ...JSON_TYPE, ...bearer(act.secret) } })).status).toBe(200);
  const { tokens } = tokenListSchema.parse(
    await (await (await find("GET", "/api/v1/tokens")).ask({}, { headers: ADMIN })).json(),
  );
  expect(tokens.find(({ name }) => name === "script")?.usedAt).not.toBeNull();
  const audit = auditListSchema.parse(await (await ask(route().audit.GET, { headers: ADMIN })).json());
  expect(audit.entries).toContainEqual(
    expect.objectContaining({ action: "token.make", actor: "ada", detail: "script: act, every outbox, 7 days" }),
  );
});

test("a token of Prometheus reads the metrics and nothing else", async () => {
  const { secret } = await make({ name: "prometheus", scope: "metrics" });
  expect((await ask(route().metrics.GET, { headers: bearer(secret) })).status).toBe(200);
  expect(await refusal(await ask(route().outboxes.GET, { headers: bearer(secret) }))).toMatchObject({
    status: 403,
    message: expect.stringContaining("its scope is metrics"),
  });
});

test("a revoked, an expired and an unknown token open nothing", async () => {
  const { secret, tokens } = await make({ name: "leaked" });
  const revoke = await find("POST", "/api/v1/tokens/{id}/revoke");
  const id = tokens.find(({ name }) => name === "leaked")?.id ?? "";
  expect((await ask(route().outboxes.GET, { headers: bearer(secret) })).status).toBe(200);
  expect((await revoke.ask({ id }, { headers: ADMIN })).status).toBe(200);
  expect(await refusal(await revoke.ask({ id }, { headers: ADMIN }))).toMatchObject({ status: 404 });
  const expired = await make({ name: "old" });
  const { records } = (globalThis as unknown as { outboxConsoleRuntime: Runtime }).outboxConsoleRuntime;
  expect(records).not.toBeNull();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 8 * 86_400_000 });
  try {
    expect(await refusal(await ask(route().outboxes.GET, { headers: bearer(expired.secret) }))).toMatchObject({
      status: 401,
    });
  } finally {
    vi.useRealTimers();
  }
  for (const bad of [secret, `oct_${"A".repeat(43)}`, "oct_short", "Basic"]) {
    expect(await refusal(await ask(route().outboxes.GET, { headers: bearer(bad) }))).toMatchObject({
      status: 401,
      message: "This API token is unknown, revoked or expired.",
    });
  }
});

test("guesses cost the database a read now and then, not one each", async () => {
  const { records } = (globalThis as unknown as { outboxConsoleRuntime: Runtime }).outboxConsoleRuntime;
  if (!records) throw new Error("There is a console side.");
  const reads = vi.spyOn(records, "validTokens");
  const { secret } = await make({ name: "honest" });
  const guesses = Array.from({ length: 200 }, (_, n) => `oct_${String(n).padStart(43, "A")}`);
  const answers = await Promise.all(guesses.map((guess) => ask(route().outboxes.GET, { headers: bearer(guess) })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
  expect(reads.mock.calls.length).toBeLessThan(20);
  expect((await ask(route().outboxes.GET, { headers: bearer(secret) })).status).toBe(200);
});

test("only an admin makes tokens, and a token never is one", async () => {
  const { secret } = await make({ name: "climber", scope: "act" });
  const endpoint = await find("POST", "/api/v1/tokens");
  const body = JSON.stringify({ name: "more", scope: "act", days: 7 });
  expect(await refusal(await endpoint.ask({}, { headers: { ...JSON_TYPE, ...bearer(secret) }, body }))).toMatchObject({
    status: 403,
  });
  const forever = await endpoint.ask(
    {},
    { headers: { ...JSON_TYPE, ...ADMIN }, body: JSON.stringify({ name: "x", scope: "read", days: 4000 }) },
  );
  expect(await refusal(forever)).toMatchObject({ status: 400 });
});

test("the secret is stored as its hash only", async () => {
  const { secret, tokens } = await make({ name: "hidden" });
  expect(JSON.stringify(tokens)).not.toContain(secret);
  const { records } = (globalThis as unknown as { outboxConsoleRuntime: Runtime }).outboxConsoleRuntime;
  expect(JSON.stringify(await records?.tokens(200))).not.toContain(secret.slice(4));
});

test("a change that is refused is in the audit, with who wanted it and why not", async () => {
  const { secret } = await make({ name: "curious" });
  await postOperation(route(), { headers: { ...JSON_TYPE, ...bearer(secret) } });
  const audit = auditListSchema.parse(await (await ask(route().audit.GET, { headers: ADMIN })).json());
  expect(audit.entries).toContainEqual(
    expect.objectContaining({
      ...{ action: "request.denied", actor: "token curious", outbox: "orders", outcome: "refused" },
      detail: expect.stringContaining("This needs the role operator"),
    }),
  );
});

test("guesses are in the audit, with what was given, from where and why, and a flood is cut", async () => {
  const outboxes = (authorization: string) =>
    ask(route().outboxes.GET, { headers: { authorization, [PEER_HEADER]: "192.0.2.9" } });
  const basic = (name: string) => `Basic ${Buffer.from(`${name}:guess`).toString("base64")}`;
  const refusedEntries = async () => {
    const answer = await ask(route().audit.GET, { headers: ADMIN });
    const { entries } = auditListSchema.parse(await answer.json());
    return entries.filter(({ detail }) => detail?.includes("from 192.0.2.9"));
  };
  expect((await outboxes(`Bearer oct_${"x".repeat(43)}`)).status).toBe(401);
  for (let guess = 0; guess < 8; guess += 1) expect((await outboxes(basic("mallory"))).status).toBe(401);
  await expect.poll(async () => (await refusedEntries()).length).toBe(5);
  const entries = await refusedEntries();
  expect(entries.map(({ detail }) => detail)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^by API token, from 192\.0\.2\.9: This API token is unknown, revoked or expired\.$/),
      expect.stringMatching(/^by HTTP Basic as mallory, from 192\.0\.2\.9: This password is not valid here\.$/),
      expect.stringMatching(/Further refusals within the minute are not recorded\.$/),
    ]),
  );
  expect(entries[0]).toMatchObject({ action: "session.refused", actor: "nobody", outcome: "refused" });
});

test("a token reveals nothing that is masked, whatever its scope", async () => {
  const { secret } = await make({ name: "curious script", scope: "act" });
  const endpoint = await find("POST", "/api/v1/outboxes/{outbox}/messages/{id}/reveal");
  const body = JSON.stringify({ reason: "because" });
  const answer = await endpoint.ask(
    { outbox: "orders", id: "x" },
    { headers: { ...JSON_TYPE, ...bearer(secret) }, body },
  );
  expect(await refusal(answer)).toMatchObject({ status: 403, message: expect.stringContaining("a person does it") });
});
