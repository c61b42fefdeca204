import { describe, expect, test, vi } from "vitest";
import { sessionListSchema } from "#contracts/access/session.ts";
import { healthSchema } from "#contracts/watch/health.ts";
import { hashPassword } from "#services/auth/password.ts";
import { type Ask, ask, JSON_TYPE, postOperation, refusal, servedApi } from "./api.fixture.ts";

vi.mock("server-only", () => ({}));

const route = servedApi(async () => ({
  auth: {
    mode: "password",
    passwords: {
      viewer: await hashPassword("look"),
      operator: await hashPassword("act"),
      admin: await hashPassword("rule"),
    },
  },
}));
const post = (more: Ask) => postOperation(route(), more);

describe("with passwords", () => {
  const basic = (password: string) => ({
    authorization: `Basic ${Buffer.from(`vera:${password}`).toString("base64")}`,
  });
  const signIn = (password: string) =>
    ask(route().session.POST, { method: "POST", headers: JSON_TYPE, body: JSON.stringify({ name: "vera", password }) });

  test("nobody sees anything but status words", async () => {
    expect(await refusal(await ask(route().outboxes.GET))).toMatchObject({ status: 401, code: "unauthenticated" });
    expect(await refusal(await post({}))).toMatchObject({ status: 401 });
    const health = healthSchema.parse(await (await ask(route().health.GET)).json());
    expect(health.output).toBeUndefined();
    expect(JSON.stringify(health)).not.toMatch(/message|observed|waits/);
  });

  test("a viewer looks and may not act; an operator may", async () => {
    expect((await ask(route().outboxes.GET, { headers: basic("look") })).status).toBe(200);
    expect(await refusal(await post({ headers: { ...JSON_TYPE, ...basic("look") } }))).toMatchObject({
      status: 403,
      code: "forbidden",
    });
    expect((await post({ headers: { ...JSON_TYPE, ...basic("act") } })).status).toBe(200);
    expect(await refusal(await ask(route().outboxes.GET, { headers: basic("wrong") }))).toMatchObject({ status: 401 });
    expect((await ask(route().health.GET, { headers: basic("look") })).status).toBeLessThan(600);
  });

  test("a session lasts in its cookie; a forged or damaged one is nobody's", async () => {
    const response = await signIn("look");
    const cookie = response.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/HttpOnly; SameSite=Strict/);
    const [value = ""] = cookie.split(";");
    expect((await ask(route().outboxes.GET, { headers: { cookie: value } })).status).toBe(200);
    for (const bad of [
      "outbox-console=",
      "outbox-console=garbage",
      value.replace("Fe26.2*1*", "Fe26.2*1*0"),
      value.replace(/.{12}~2$/, "AAAAAAAAAAAA~2"),
      value.slice(0, -10),
      "outbox-console=Fe26.2*1*a*b*c*d*e*f~2",
    ])
      expect(await refusal(await ask(route().outboxes.GET, { headers: { cookie: bad } })), bad).toMatchObject({
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
    expect(await refusal(await ask(route().outboxes.GET, { headers: { authorization } }))).toMatchObject({
      status: 400,
    });
    const body = JSON.stringify({ name, password: "look" });
    expect(await refusal(await ask(route().session.POST, { method: "POST", headers: JSON_TYPE, body }))).toMatchObject({
      status: 400,
    });
  });

  test("a name in any script is taken", async () => {
    for (const name of ["Žofie", "علی\u200Cرضا", "山田 太郎", "O'Neil (on call)"]) {
      const authorization = `Basic ${Buffer.from(`${name}:look`).toString("base64")}`;
      expect((await ask(route().outboxes.GET, { headers: { authorization } })).status, name).toBe(200);
    }
  });

  test("endpoints for anyone ignore credentials that are wrong, also while guessing is throttled", async () => {
    await Promise.all(
      Array.from({ length: 30 }, (_, index) => ask(route().outboxes.GET, { headers: basic(`guess ${index}`) })),
    );
    expect(await refusal(await ask(route().outboxes.GET, { headers: basic("guess 31") }))).toMatchObject({
      status: 429,
      code: "too_many_requests",
    });
    const health = await ask(route().health.GET, { headers: basic("wrong") });
    expect(health.headers.get("content-type")).toBe("application/health+json");
    expect(healthSchema.parse(await health.json()).output).toBeUndefined();
    expect(await (await ask(route().session.GET, { headers: basic("wrong") })).json()).toMatchObject({ actor: null });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ask(route().metrics.GET, { headers: basic("rule") })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const detailed = await ask(route().health.GET, { headers: basic("look") });
    expect(healthSchema.parse(await detailed.json()).description).toBeDefined();
  });

  test("signing out ends the session on the server; an admin ends another's, and nobody else does", async () => {
    const cookieOf = async (password: string) => {
      const response = await signIn(password);
      return { cookie: (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "" };
    };
    const [viewer, other, admin] = [await cookieOf("look"), await cookieOf("look"), await cookieOf("rule")];
    const signedIn = async (headers: { cookie: string }) =>
      (await ask(route().outboxes.GET, { headers })).status === 200;
    expect(await signedIn(viewer)).toBe(true);
    await ask(route().signOut.POST, { method: "POST", headers: { ...JSON_TYPE, ...viewer } });
    expect(await signedIn(viewer)).toBe(false);
    expect(await refusal(await ask(route().sessions.GET, { headers: other }))).toMatchObject({ status: 403 });
    const list = sessionListSchema.parse(await (await ask(route().sessions.GET, { headers: admin })).json());
    const [target] = list.sessions.filter(({ role }) => role === "viewer");
    const end = (headers: { cookie: string }, id = target?.id ?? "") =>
      ask(route().end.POST, { method: "POST", headers: { ...JSON_TYPE, ...headers }, params: { id } });
    expect(await refusal(await end(other))).toMatchObject({ status: 403 });
    expect(await signedIn(other)).toBe(true);
    sessionListSchema.parse(await (await end(admin)).json());
    expect(await signedIn(other)).toBe(false);
    expect(await refusal(await end(admin, "nope"))).toMatchObject({ status: 404 });
    expect(await signedIn(admin)).toBe(true);
  });
});
