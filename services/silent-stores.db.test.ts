import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import { loadEngine } from "#db/stores/open-store.ts";
import type { AppError } from "#domain/errors.ts";
import { configSchema } from "#services/config/config-schema.ts";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { testDatabase } from "#tests/postgres.ts";
import { startTcpProxy, type TcpProxy } from "#tests/tcp-proxy.ts";
import { waitFor } from "#tests/wait-for.ts";
import { checkHealth } from "./health/check-health.ts";
import { renderMetrics } from "./health/render-metrics.ts";
import { listInboxes } from "./inboxes/list-inboxes.ts";
import { withLastSnapshot } from "./outboxes/last-examinations.ts";
import { listOutboxes } from "./outboxes/list-outboxes.ts";
import { takeSnapshot } from "./outboxes/take-snapshot.ts";
import { listRelays } from "./relays/list-relays.ts";
import { openRuntime, type Runtime } from "./runtime.ts";

/**
 * What is promised is 3 s; the rest is for a loaded machine. Each hang that is met one after another adds 2 s or more.
 */
const PROMISED_SECONDS = 4.5;
/** A silence that is known is answered from memory. */
const KNOWN_SECONDS = 2.2;

/** The age of the row is not what is tested. */
const NEVER_LATE = { oldestPending: { warn: "1h", fail: "2h" } };

const database = testDatabase("migrated");
let runtime: Runtime | undefined;
const undo: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  // The time limits hold for a process that has started.
  await loadEngine("postgres");
  await database().pool.query(OUTBOX_EVENTS);
  await database().pool.query("INSERT INTO outbox_events (event_type, payload) VALUES ('a', '{}')");
});

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
  await runtime?.close();
  runtime = undefined;
});

async function line(): Promise<{ url: string; proxy: TcpProxy }> {
  const proxy = await startTcpProxy({ port: Number(new URL(database().url).port) });
  undo.push(() => proxy.close());
  return { url: at(database().url, proxy.port), proxy };
}

function at(url: string, port: number): string {
  return Object.assign(new URL(url), { port: String(port) }).toString();
}

/** Accepts connections and never sends a byte. */
async function startMute(): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => void sockets.add(socket.on("error", () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  undo.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

/** One outbox in each store, named after it. */
function open(stores: Record<string, string>, consoleUrl?: string): Runtime {
  const config = configSchema.parse({
    discover: false,
    console: consoleUrl ? { databaseUrl: consoleUrl } : {},
    stores: Object.fromEntries(Object.entries(stores).map(([name, url]) => [name, { kind: "postgres", url }])),
    outboxes: Object.fromEntries(
      Object.keys(stores).map((store) => [store, { store, table: "outbox_events", thresholds: NEVER_LATE }]),
    ),
  });
  runtime = openRuntime({ config, applicationName: "outbox-console test", env: {} });
  return runtime;
}

async function within<Value>(seconds: number, work: () => Promise<Value>): Promise<Value> {
  const started = performance.now();
  const value = await work();
  expect((performance.now() - started) / 1000).toBeLessThan(seconds);
  return value;
}

/** A silence that is known costs no wait: of three answers one is quick, however busy the machine is. */
async function expectKnown(asked: Runtime, silent: string[], well: string[]) {
  for (const last of [false, false, true]) {
    const quick = await expectTold(asked, silent, well, KNOWN_SECONDS).then(
      () => true,
      (error: unknown) => {
        if (last) throw error;
        return false;
      },
    );
    if (quick) return;
  }
}

const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

/** Every answer that alerting and pages need: quick, the reason where it is silent, the figures where it is not. */
async function expectTold(asked: Runtime, silent: string[], well: string[], seconds: number) {
  const [health, metrics, list, inboxes, relays, ...snapshots] = await within(seconds, () =>
    Promise.all([
      checkHealth({ runtime: asked }),
      renderMetrics({ runtime: asked }),
      listOutboxes({ runtime: asked }),
      listInboxes({ runtime: asked }),
      failure(listRelays({ runtime: asked })),
      ...silent.map((outbox) => failure(takeSnapshot({ runtime: asked, outbox }))),
      ...well.map((outbox) => takeSnapshot({ runtime: asked, outbox })),
    ]),
  );
  expect(health.status).toBe("fail");
  expect(inboxes.inboxes).toEqual([]);
  expect(relays).toBeNull();
  for (const [index, name] of silent.entries()) {
    const reason = /does not answer/;
    expect(health.checks?.[`${name}:database`]?.[0]).toMatchObject({
      status: "fail",
      output: expect.stringMatching(reason),
    });
    expect(metrics.text).toContain(`outbox_up{outbox="${name}"} 0`);
    const summary = list.outboxes.find((outbox) => outbox.name === name);
    expect(list.stores.find((store) => store.name === name)?.answers, name).toBe(false);
    expect(summary).toMatchObject({ figures: null, problem: expect.stringMatching(reason) });
    expect(snapshots[index]).toMatchObject({ code: "unavailable", message: expect.stringMatching(reason) });
  }
  for (const name of well) {
    expect(health.checks?.[`${name}:oldestPending`]?.[0]?.status, name).toBe("pass");
    expect(metrics.text).toContain(`outbox_up{outbox="${name}"} 1`);
    expect(list.outboxes.find((outbox) => outbox.name === name)?.figures, name).not.toBeNull();
  }
}

/** If all three tries are late, the machine is not the reason. */
describe("several stores that hang at once", { retry: 2 }, () => {
  test("at start: a server that accepts and is mute, and lines that swallow packets", async () => {
    const [mute, one, two] = [await startMute(), await line(), await line()];
    one.proxy.pause();
    two.proxy.pause();
    const asked = open({ well: database().url, mute: at(database().url, mute), one: one.url, two: two.url });
    await expectTold(asked, ["mute", "one", "two"], ["well"], PROMISED_SECONDS);
    await expectKnown(asked, ["mute", "one", "two"], ["well"]);
  });

  test.each([
    ["lines that swallow packets", (proxy: TcpProxy) => proxy.pause()],
    ["lines that swallow the answers", (proxy: TcpProxy) => proxy.swallowAnswers()],
  ])("while they are watched: %s; and well again at once after", async (_, silence) => {
    const [one, two] = [await line(), await line()];
    const asked = open({ well: database().url, one: one.url, two: two.url });
    for (const outbox of ["well", "one", "two"]) await takeSnapshot({ runtime: asked, outbox });
    silence(one.proxy);
    silence(two.proxy);
    // Figures that were just taken may be given again.
    await waitFor(() => failure(takeSnapshot({ runtime: asked, outbox: "one" })), {
      message: "its silence is noticed",
    });
    await waitFor(() => failure(takeSnapshot({ runtime: asked, outbox: "two" })), {
      message: "its silence is noticed",
    });
    await expectKnown(asked, ["one", "two"], ["well"]);
    const refusal = withLastSnapshot(asked, "one", await failure(takeSnapshot({ runtime: asked, outbox: "one" })));
    expect(refusal).toMatchObject({
      code: "unavailable",
      details: { silentSince: expect.any(String), lastSnapshot: { outbox: "one", counts: { pending: { value: 1 } } } },
    });
    const sinceOf = async () => {
      const [health, list] = await Promise.all([checkHealth({ runtime: asked }), listOutboxes({ runtime: asked })]);
      const listed = list.outboxes.find(({ name }) => name === "one");
      return [health.checks?.["one:database"]?.[0]?.since, listed?.verdict.since];
    };
    const [since] = await sinceOf();
    expect(since).toBe((refusal as AppError).details?.silentSince);
    expect(await sinceOf()).toEqual([since, since]);
    await Promise.all([one.proxy.resume(), two.proxy.resume()]);
    await waitFor(async () => (await checkHealth({ runtime: asked })).status === "pass", { message: "health passes" });
    await takeSnapshot({ runtime: asked, outbox: "one" });
  });

  test("at start, with a console side that hangs as well: one is not waited for after the other", async () => {
    const [one, side] = [await line(), await line()];
    one.proxy.pause();
    side.proxy.pause();
    const asked = open({ well: database().url, one: one.url }, side.url);
    await expectTold(asked, ["one"], ["well"], PROMISED_SECONDS);
  });

  test("an outbox that was only discovered, asked for by its name, with a console side that hangs as well", async () => {
    const [one, side] = [await line(), await line()];
    one.proxy.pause();
    side.proxy.pause();
    const config = configSchema.parse({
      console: { databaseUrl: side.url },
      stores: { one: { kind: "postgres", url: one.url } },
    });
    const asked = openRuntime({ config, applicationName: "outbox-console test", env: {} });
    runtime = asked;
    const told = await within(PROMISED_SECONDS, () => failure(takeSnapshot({ runtime: asked, outbox: "one-events" })));
    expect(told).toMatchObject({ code: "unavailable", message: expect.stringMatching(/does not answer/) });
  });

  test("the first answer after it began is in time too", async () => {
    const [one, two] = [await line(), await line()];
    const asked = open({ well: database().url, one: one.url, two: two.url });
    await asked.tables();
    one.proxy.pause();
    two.proxy.pause();
    await expectTold(asked, ["one", "two"], ["well"], PROMISED_SECONDS);
  });
});

test("a server that is stopped as a process is silent within 3 s, and answers when it goes on", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "outbox-console-stopped-"));
  const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: "off", max_connections: "20" } });
  undo.push(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(OUTBOX_EVENTS);
  const asked = open({ well: database().url, stopped: server.url });
  await takeSnapshot({ runtime: asked, outbox: "stopped" });
  // Stopping only the postmaster would not stop the existing sessions.
  const { rows } = await client.query<{ pid: number }>("SELECT pid FROM pg_stat_activity");
  await client.end();
  const signal = (name: "SIGSTOP" | "SIGCONT") => {
    for (const pid of [server.pid, ...rows.map((row) => row.pid)]) signalIfThere(pid, name);
  };
  signal("SIGSTOP");
  undo.push(async () => signal("SIGCONT"));
  await waitFor(() => failure(takeSnapshot({ runtime: asked, outbox: "stopped" })), { message: "it is noticed" });
  await expectTold(asked, ["stopped"], ["well"], KNOWN_SECONDS);
  signal("SIGCONT");
  await waitFor(() => takeSnapshot({ runtime: asked, outbox: "stopped" }), { message: "it answers again" });
});

function signalIfThere(pid: number, name: "SIGSTOP" | "SIGCONT"): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

test("a console side that is silent costs the rates, not the figures", async () => {
  const side = await line();
  const asked = open({ well: database().url }, side.url);
  side.proxy.pause();
  const told = await within(PROMISED_SECONDS, () =>
    Promise.all([checkHealth({ runtime: asked }), takeSnapshot({ runtime: asked, outbox: "well" })]),
  );
  expect(told).toMatchObject([{ status: "pass" }, { rates: { inPerSecond: null }, counts: { pending: { value: 1 } } }]);
});

test("a table that someone else holds is not known, and its database is not called silent", async () => {
  const asked = open({ well: database().url });
  await asked.tables();
  const locker = await database().pool.connect();
  try {
    await locker.query("BEGIN; LOCK TABLE outbox_events IN ACCESS EXCLUSIVE MODE");
    // Our sessions give up on a lock after a second.
    const { counts, verdict } = await takeSnapshot({ runtime: asked, outbox: "well" });
    expect(counts.pending.precision).toBe("unknown");
    expect(verdict).toMatchObject({ word: "unknown", cause: expect.stringMatching(/locked the whole table/) });
    const [store] = (await asked.tables()).outboxes;
    expect(store?.store.guard.silence).toBeNull();
  } finally {
    await locker.query("ROLLBACK");
    locker.release();
  }
});
