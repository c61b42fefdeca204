import { scryptSync } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { signInRequestSchema } from "#contracts/access/session.ts";
import { type Config, configSchema } from "../config/config-schema.ts";
import { checkBind } from "./check-bind.ts";
import { GuessLimits } from "./guess-limits.ts";
import * as passwords from "./password.ts";
import { hashPassword, verifyPassword } from "./password.ts";
import { passwordMark, sessionSecret, signIn as signInFrom } from "./sign-in.ts";

let config: Config;
const signIn = (given: Config, input: { name: string; password: string; source?: string }) =>
  signInFrom(given, { source: "192.0.2.1", ...input });

/** A hash at a 32nd of the usual cost: these tests verify hundreds of passwords. */
function cheapHash(password: string): string {
  const cost = { N: 1024, r: 8, p: 1 };
  const key = scryptSync(password, "salt of the tests", 32, cost).toString("base64url");
  return ["scrypt", cost.N, cost.r, cost.p, Buffer.from("salt of the tests").toString("base64url"), key].join("$");
}

beforeAll(() => {
  const [viewer, operator, admin] = ["look", "act", "rule"].map(cheapHash);
  config = configSchema.parse({ auth: { mode: "password", passwords: { viewer, operator, admin } } });
});

vi.mock("./password.ts", { spy: true });

/** Guesses are counted in the process: each test begins without any. */
beforeEach(() => {
  vi.mocked(passwords.verifyPassword).mockClear();
  Reflect.deleteProperty(globalThis, "outboxConsoleState");
});

/** A hundred guesses at once, each with a different password. */
async function attack(input: { name?: (index: number) => string } = {}): Promise<string[]> {
  const guesses = await Promise.allSettled(
    Array.from({ length: 100 }, (_, index) =>
      signIn(config, { name: input.name?.(index) ?? "eve", password: `guess ${index} ${Math.random()}` }),
    ),
  );
  return guesses.map((guess) => (guess.status === "rejected" ? guess.reason.code : "in"));
}

describe("passwords", () => {
  test("verify against their own hash, in any normal form of their letters, and no other", async () => {
    const hash = await hashPassword("pässwörd 💥");
    expect(hash).toMatch(/^scrypt\$32768\$8\$1\$/);
    expect(await verifyPassword("pässwörd 💥".normalize("NFD"), hash)).toBe(true);
    expect(await verifyPassword("password", hash)).toBe(false);
    expect(await hashPassword("pässwörd 💥")).not.toBe(hash);
  });

  test.each([
    "",
    "x",
    "scrypt",
    "scrypt$$$$$",
    "scrypt$a$b$c$d$e",
    "scrypt$32768$8$1$c2FsdA$",
    "scrypt$1073741824$8$1$c2FsdA$a2V5",
    "scrypt$3$8$1$c2FsdA$a2V5",
    "bcrypt$32768$8$1$c2FsdA$a2V5",
  ])("%s is a hash of nothing", async (hash) => {
    expect(await verifyPassword("", hash)).toBe(false);
  });
});

describe("signing in", () => {
  test.each([
    ["look", "viewer"],
    ["act", "operator"],
    ["rule", "admin"],
  ])("%s opens %s", async (password, role) => {
    expect(await signIn(config, { name: "olga", password })).toEqual({ name: "olga", role });
  });

  test("a wrong password opens nothing", async () => {
    for (const password of ["", "LOOK", "look ", "\0"])
      await expect(signIn(config, { name: "olga", password })).rejects.toMatchObject({ code: "unauthenticated" });
  });

  test("guesses are throttled, also a hundred at once", async () => {
    const codes = await attack();
    expect(codes.filter((code) => code === "unauthenticated")).toHaveLength(10);
    expect(codes.filter((code) => code === "too_many_requests")).toHaveLength(90);
    // Each guess that was let in was verified against each of three hashes; over the limit one a second still is.
    expect(vi.mocked(passwords.verifyPassword).mock.calls.length).toBeLessThan(3 * 50);
  });

  test("guesses under ever new names are throttled by their address", async () => {
    vi.mocked(passwords.verifyPassword).mockResolvedValue(false);
    const codes = await attack({ name: (index) => `eve ${index}` });
    vi.mocked(passwords.verifyPassword).mockRestore();
    expect(codes.filter((code) => code === "unauthenticated")).toHaveLength(60);
  });

  test("a right password gets in during an attack, from elsewhere, from the same address, and as the same name", async () => {
    const attacking = attack();
    expect(await signIn(config, { name: "olga", password: "rule", source: "192.0.2.2" })).toMatchObject({
      role: "admin",
    });
    expect(await signIn(config, { name: "olga", password: "rule" })).toMatchObject({ role: "admin" });
    await attacking;
    // The attack's own name, over its limit: the right password waits for one of its turns.
    expect(await signIn(config, { name: "eve", password: "look" })).toMatchObject({ role: "viewer" });
    await attack();
    const parallel = Array.from({ length: 20 }, () => signIn(config, { name: "eve", password: "act" }));
    await Promise.all(parallel);
    for (let poll = 0; poll < 20; poll += 1) await signIn(config, { name: "eve", password: "look" });
  });

  test("a hundred right ones at once get in by one verification, and are not counted", async () => {
    const right = Array.from({ length: 100 }, (_, index) =>
      signIn(config, { name: `person ${index % 7}`, password: "rule" }),
    );
    expect(new Set((await Promise.all(right)).map(({ role }) => role))).toEqual(new Set(["admin"]));
    expect(vi.mocked(passwords.verifyPassword)).toHaveBeenCalledTimes(1);
    expect((await attack()).filter((code) => code === "unauthenticated")).toHaveLength(10);
  });

  test("a poller with an old password costs one verification, and locks nobody else out", async () => {
    for (let poll = 0; poll < 30; poll += 1)
      await expect(signIn(config, { name: "prometheus", password: "old one" })).rejects.toThrow();
    expect(vi.mocked(passwords.verifyPassword)).toHaveBeenCalledTimes(3);
    expect(await signIn(config, { name: "olga", password: "rule" })).toMatchObject({ role: "admin" });
    expect(await signIn(config, { name: "prometheus", password: "look" })).toMatchObject({ role: "viewer" });
  });

  test("verifications are bounded: at most two at a time", async () => {
    let running = 0;
    let most = 0;
    vi.mocked(passwords.verifyPassword).mockImplementation(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return false;
    });
    await attack({ name: (index) => `eve ${index}` });
    vi.mocked(passwords.verifyPassword).mockRestore();
    expect(most).toBe(2);
  });

  test("without authentication everyone is the local operator, on loopback only", async () => {
    const open = configSchema.parse({});
    expect(await signIn(open, { name: "x", password: "y" })).toEqual({ name: "local operator", role: "admin" });
    for (const host of ["127.0.0.1", "localhost", "::1", "127.1.2.3"])
      expect(() => checkBind(open, host)).not.toThrow();
    for (const host of ["0.0.0.0", "::", "10.0.0.1", "example.com", "127.0.0.1.example.com", ""])
      expect(() => checkBind(open, host)).toThrow(/only on a loopback HOST/);
    expect(() => checkBind(config, "0.0.0.0")).not.toThrow();
  });

  test("a session's mark changes with the password of its role alone, also with a configured secret", () => {
    const { auth } = config;
    if (auth.mode !== "password") throw new Error(auth.mode);
    const fixed: Config = { ...config, auth: { ...auth, sessionSecret: "x".repeat(40) } };
    const changed: Config = {
      ...fixed,
      auth: { ...auth, sessionSecret: "x".repeat(40), passwords: { ...auth.passwords, admin: auth.passwords.viewer } },
    };
    expect(sessionSecret(changed)).toBe(sessionSecret(fixed));
    expect(passwordMark(changed, "admin")).not.toBe(passwordMark(fixed, "admin"));
    expect(passwordMark(changed, "viewer")).toBe(passwordMark(fixed, "viewer"));
    expect(passwordMark(fixed, "viewer")).not.toBe(passwordMark(changed, "admin"));
    expect(sessionSecret(config)).not.toBe(
      sessionSecret({ ...changed, auth: { ...auth, passwords: { viewer: auth.passwords.viewer } } }),
    );
    expect(sessionSecret(config).length).toBeGreaterThanOrEqual(32);
  });
});

test("the addresses of one IPv6 network are counted together, and those of another are not", () => {
  const limits = new GuessLimits();
  const take = (source: string) => limits.take(source, crypto.randomUUID()) !== null;
  for (let guess = 0; guess < 60; guess += 1) expect(take(`2001:db8:0:1::${guess.toString(16)}`)).toBe(true);
  expect(take("2001:0db8::1:ffff:0:0:1")).toBe(false);
  expect(take("2001:db8:0:2::1")).toBe(true);
  expect(take("192.0.2.77")).toBe(true);
});

test.each(["token pipeline", "Outbox-Console web", "local operator", "nobody"])(
  "nobody signs in under the name of a program: %s",
  (name) => {
    expect(signInRequestSchema.safeParse({ name, password: "look" }).error?.issues[0]?.message).toContain("programs");
  },
);

describe("named users", () => {
  const [own, shared] = ["veras own", "look"].map(cheapHash);
  const named = configSchema.parse({
    auth: {
      mode: "password",
      passwords: { viewer: shared },
      users: { vera: { hash: own, outboxes: { orders: "operator" } } },
    },
  });

  test("have a password of their own, and roles by outbox", async () => {
    expect(await signIn(named, { name: "vera", password: "veras own" })).toEqual({
      name: "vera",
      role: "viewer",
      grants: { everywhere: null, outboxes: { orders: "operator" } },
    });
  });

  test("are nobody else: neither another name with their password, nor theirs with a role's", async () => {
    await expect(signIn(named, { name: "vera", password: "look" })).rejects.toMatchObject({ code: "unauthenticated" });
    await expect(signIn(named, { name: "eve", password: "veras own" })).rejects.toMatchObject({
      code: "unauthenticated",
    });
    expect(await signIn(named, { name: "eve", password: "look" })).toEqual({ name: "eve", role: "viewer" });
    for (const alike of ["Vera", "ｖera"])
      await expect(signIn(named, { name: alike, password: "look" }), alike).rejects.toMatchObject({
        code: "unauthenticated",
      });
  });

  test("need a role or an outbox, so that nobody is named for nothing", () => {
    expect(() => configSchema.parse({ auth: { mode: "password", users: { vera: { hash: own } } } })).toThrow(
      /needs a role or outboxes/,
    );
  });
});

test.each([
  ["a proxy without a secret and without peers", { mode: "proxy", default: "none" }, /a header alone/],
  [
    "an issuer over http",
    {
      mode: "oidc",
      issuer: "http://id.example",
      clientId: "c",
      clientSecret: "s",
      url: "https://c.example",
      default: "none",
    },
    /must be https/,
  ],
  [
    "groups without a default",
    { mode: "oidc", issuer: "https://id.example", clientId: "c", clientSecret: "s", url: "https://c.example" },
    /default/,
  ],
])("%s is not accepted", (_, auth, message) => {
  expect(() => configSchema.parse({ auth })).toThrow(message);
});
