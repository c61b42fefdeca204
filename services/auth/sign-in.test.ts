import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Config, configSchema } from "../config/config-schema.ts";
import { checkBind } from "./check-bind.ts";
import { hashPassword, verifyPassword } from "./password.ts";

let config: Config;
let signIn: typeof import("./sign-in.ts").signIn;
let sessionSecret: typeof import("./sign-in.ts").sessionSecret;

beforeAll(async () => {
  const [viewer, operator, admin] = await Promise.all(["look", "act", "rule"].map(hashPassword));
  config = configSchema.parse({ auth: { mode: "password", passwords: { viewer, operator, admin } } });
});

/** Guesses are counted in the module: each test begins without any. */
beforeEach(async () => {
  vi.resetModules();
  ({ signIn, sessionSecret } = await import("./sign-in.ts"));
});

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
    const guesses = await Promise.allSettled(
      Array.from({ length: 100 }, (_, index) => signIn(config, { name: "eve", password: `guess ${index}` })),
    );
    const codes = guesses.map((guess) => (guess.status === "rejected" ? guess.reason.code : "in"));
    expect(codes.filter((code) => code === "unauthenticated")).toHaveLength(10);
    expect(codes.filter((code) => code === "too_many_requests")).toHaveLength(90);
  });

  test("right passwords are not counted", async () => {
    // The password that is tried first: each that is tried takes a good part of a second on a loaded machine.
    for (let count = 0; count < 12; count += 1) await signIn(config, { name: `person ${count}`, password: "rule" });
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

  test("a changed password ends sessions; a configured secret does not", () => {
    const { auth } = config;
    if (auth.mode !== "password") throw new Error(auth.mode);
    const changed: Config = {
      ...config,
      auth: { ...auth, passwords: { ...auth.passwords, admin: auth.passwords.viewer } },
    };
    expect(sessionSecret(changed)).not.toBe(sessionSecret(config));
    expect(sessionSecret(config).length).toBeGreaterThanOrEqual(32);
    const fixed = { ...config, auth: { ...auth, sessionSecret: "x".repeat(40) } };
    expect(sessionSecret(fixed)).toBe("x".repeat(40));
  });
});
