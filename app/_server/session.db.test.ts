import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { hashPassword } from "#services/auth/password.ts";
import { closeSession, readSessions } from "#services/auth/sessions.ts";
import { configSchema } from "#services/config/config-schema.ts";
import { openRuntime, type Runtime } from "#services/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { startTcpProxy, type TcpProxy } from "#tests/tcp-proxy.ts";

vi.mock("server-only", () => ({}));

const { openSession, sealSession } = await import("./session.ts");

const database = testDatabase("migrated");
const VERA = { name: "vera", role: "viewer" } as const;
const ADA = { name: "ada", role: "admin" } as const;

let hashes: string[];
let proxy: TcpProxy;
const runtimes: Runtime[] = [];

beforeAll(async () => {
  hashes = await Promise.all(["look", "rule", "changed"].map(hashPassword));
});
beforeEach(async () => {
  proxy = await startTcpProxy({ port: Number(new URL(database().url).port) });
});
afterEach(async () => {
  await proxy.resume();
  await Promise.all(runtimes.splice(0).map((runtime) => runtime.close()));
  await proxy.close();
});
afterAll(() => Reflect.deleteProperty(globalThis, "outboxConsoleState"));

interface Setup {
  viewer?: string | undefined;
  secret?: string;
  kept?: boolean;
}

/** A separate console, as after a restart: it shares no memory with the others. */
function openConsole({ viewer = hashes[0], secret = "s".repeat(40), kept = true }: Setup = {}): Runtime {
  const url = new URL(database().url);
  url.port = String(proxy.port);
  const config = configSchema.parse({
    ...(kept ? { console: { databaseUrl: url.toString() } } : {}),
    auth: { mode: "password", passwords: { viewer, admin: hashes[1] }, sessionSecret: secret },
  });
  const runtime = openRuntime({ config, applicationName: "outbox-console test", env: {} });
  runtimes.push(runtime);
  return runtime;
}

const isOpen = async (runtime: Runtime, cookie: string) => (await openSession(runtime, cookie)) !== null;
const idOf = async (runtime: Runtime, cookie: string) => (await openSession(runtime, cookie))?.id ?? "";

describe.each([
  ["in the console's database", true],
  ["in memory", false],
])("a session %s", (_, kept) => {
  test("is open until it is ended, and then for nobody who has its cookie", async () => {
    const runtime = openConsole({ kept });
    const [cookie, other] = [
      await sealSession(runtime, VERA, "192.0.2.1"),
      await sealSession(runtime, VERA, "192.0.2.1"),
    ];
    expect(await openSession(runtime, cookie)).toMatchObject({ actor: VERA });
    expect(await closeSession(runtime, await idOf(runtime, cookie), { by: VERA, how: "signed out" })).toBe(true);
    expect(await isOpen(runtime, cookie)).toBe(false);
    expect(await isOpen(runtime, other)).toBe(true);
  });

  test("is listed with what ends it, until it is ended", async () => {
    await database().pool.query("TRUNCATE outbox_console_app.session");
    const runtime = openConsole({ kept });
    const cookie = await sealSession(runtime, VERA, "192.0.2.1");
    const own = await idOf(runtime, await sealSession(runtime, ADA, "192.0.2.2"));
    const list = await readSessions(runtime, own);
    expect(list).toMatchObject({ kept: kept ? "database" : "memory", problem: kept ? null : expect.any(String) });
    expect(list.sessions.map(({ name, address, current }) => [name, address, current])).toEqual(
      expect.arrayContaining([
        ["vera", "192.0.2.1", false],
        ["ada", "192.0.2.2", true],
      ]),
    );
    await closeSession(runtime, await idOf(runtime, cookie), { by: ADA, how: "ended" });
    expect((await readSessions(runtime, own)).sessions.map(({ name }) => name)).toEqual(["ada"]);
    expect(await closeSession(runtime, crypto.randomUUID(), { by: ADA, how: "ended" })).toBe(false);
  });

  test("ends when the password of its role changes, and only then, also with a configured secret", async () => {
    const runtime = openConsole({ kept });
    const [viewer, admin] = [await sealSession(runtime, VERA, ""), await sealSession(runtime, ADA, "")];
    const changed = { ...runtime, config: openConsole({ kept, viewer: hashes[2] }).config };
    // A console that has not seen a session asks the database, which may not answer in time on a busy machine.
    await expect.poll(() => isOpen(kept ? changed : runtime, kept ? admin : viewer)).toBe(true);
    expect(await isOpen(changed, viewer)).toBe(false);
  });
});

test("a session goes on after a restart, and one ended by another console is over there too", async () => {
  const [first, second] = [openConsole(), openConsole()];
  const [cookie, ended] = [await sealSession(first, VERA, ""), await sealSession(first, VERA, "")];
  await closeSession(first, await idOf(first, ended), { by: VERA, how: "ended" });
  await expect.poll(() => isOpen(second, cookie)).toBe(true);
  expect(await isOpen(second, ended)).toBe(false);
  const { rows } = await database().pool.query(
    "SELECT ended_by FROM outbox_console_app.session WHERE ended_at IS NOT NULL",
  );
  expect(rows).toContainEqual({ ended_by: "vera" });
});

test("while the database is silent, those whom this console knows stay signed in, and others may sign in", async () => {
  const runtime = openConsole();
  const stranger = await sealSession(openConsole(), VERA, "");
  const [cookie, ended] = [await sealSession(runtime, VERA, ""), await sealSession(runtime, VERA, "")];
  proxy.pause();
  await closeSession(runtime, await idOf(runtime, ended), { by: VERA, how: "ended" });
  expect(await isOpen(runtime, ended)).toBe(false);
  await expect.poll(() => isOpen(runtime, cookie)).toBe(true);
  expect(await isOpen(runtime, stranger)).toBe(false);
  expect(await isOpen(runtime, await sealSession(runtime, ADA, ""))).toBe(true);
  expect(await readSessions(runtime, null)).toMatchObject({
    kept: "memory",
    problem: expect.stringMatching(/does not answer/),
  });
});

test("a session that is ended while the database is silent is over everywhere once it answers", async () => {
  const runtime = openConsole();
  const cookie = await sealSession(runtime, VERA, "");
  const id = await idOf(runtime, cookie);
  proxy.pause();
  // The database is known to be silent, and is not asked for a while.
  expect((await readSessions(runtime, null)).problem).toContain("does not answer");
  expect(await closeSession(runtime, id, { by: VERA, how: "signed out" })).toBe(true);
  await proxy.resume();
  const ended = async () =>
    (
      await database().pool.query("SELECT 1 FROM outbox_console_app.session WHERE id = $1 AND ended_at IS NOT NULL", [
        id,
      ])
    ).rowCount;
  await expect.poll(ended).toBe(1);
  expect(await isOpen(openConsole(), cookie)).toBe(false);
});

test("a session that was recorded although no answer came in time is over when another console ends it", async () => {
  const [silent, other] = [openConsole(), openConsole()];
  proxy.pause();
  const cookie = await sealSession(silent, VERA, "");
  const id = await idOf(silent, cookie);
  await database().pool.query(
    `INSERT INTO outbox_console_app.session (id, name, role, address, expires_at)
     VALUES ($1, 'vera', 'viewer', '', now() + interval '1 hour') ON CONFLICT DO NOTHING`,
    [id],
  );
  await proxy.resume();
  await expect.poll(() => closeSession(other, id, { by: ADA, how: "ended" })).toBe(true);
  await expect.poll(() => isOpen(silent, cookie)).toBe(false);
});

test("a console side of an older version keeps sessions in memory, and says what to run", async () => {
  await database().pool.query("ALTER TABLE outbox_console_app.session RENAME TO session_gone");
  try {
    const runtime = openConsole();
    expect(await isOpen(runtime, await sealSession(runtime, VERA, ""))).toBe(true);
    expect(await readSessions(runtime, null)).toMatchObject({
      kept: "memory",
      problem: expect.stringMatching(/migrate/),
    });
  } finally {
    await database().pool.query("ALTER TABLE outbox_console_app.session_gone RENAME TO session");
  }
});

test("the audit has who signed in and out, and who ended whose session, each once", async () => {
  await database().pool.query("TRUNCATE outbox_console_app.audit");
  const runtime = openConsole();
  const [own, ended] = [await sealSession(runtime, VERA, "192.0.2.1"), await sealSession(runtime, VERA, "192.0.2.2")];
  await closeSession(runtime, await idOf(runtime, own), { by: VERA, how: "signed out" });
  const id = await idOf(runtime, ended);
  await closeSession(openConsole(), id, { by: ADA, how: "ended" });
  await closeSession(runtime, id, { by: ADA, how: "ended" });
  const { rows } = await database().pool.query(
    "SELECT actor, role, action, outcome, detail FROM outbox_console_app.audit ORDER BY id",
  );
  const [vera, ada] = [
    { actor: "vera", role: "viewer", outcome: "done" },
    { actor: "ada", role: "admin", outcome: "done" },
  ];
  expect(rows).toEqual([
    { ...vera, action: "session.start", detail: "by password, from 192.0.2.1" },
    { ...vera, action: "session.start", detail: "by password, from 192.0.2.2" },
    { ...vera, action: "session.end", detail: "signed out, from 192.0.2.1" },
    { ...ada, action: "session.end", detail: "session of vera, from 192.0.2.2" },
  ]);
});
