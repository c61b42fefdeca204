import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import { migrateStoreSide } from "#db/stores/postgres/own-schema/migrate.ts";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { openTestRuntime } from "#tests/factories/runtime.ts";
import { waitFor } from "#tests/wait-for.ts";
import { checkHealth } from "../health/check-health.ts";
import { outboxOf } from "./outbox-of.ts";
import { examineOutbox } from "./take-snapshot.ts";

const RELAYED = {
  outboxes: {
    orders: { store: "shop", table: "public.outbox_events", mode: "relay" as const, relay: { sink: "log" } },
  },
  sinks: { log: { kind: "log" as const } },
};
const settings = { fsync: "off", max_connections: "40" };
let dataDir: string;
let server: EmbeddedPostgres;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "outbox-console-standby-"));
  server = await startEmbeddedPostgres({ dataDir, settings });
  await migrateStoreSide(server.url);
});
afterAll(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server.url });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

async function isStandbyAwaited(watcher: pg.Client): Promise<boolean> {
  const { rows } = await watcher.query("SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
  return rows.length > 0;
}

test("commits that wait for a standby are named, and neither our relay's locks nor the transactions that wait", async () => {
  const client = await connect();
  onTestFinished(() => client.end());
  await client.query(OUTBOX_EVENTS);
  const other = await connect();
  onTestFinished(() => other.end());
  const released = async () => {
    await other.query("ALTER SYSTEM RESET synchronous_standby_names");
    await other.query("SELECT pg_reload_conf()");
  };
  onTestFinished(released);
  await client.query("ALTER SYSTEM SET synchronous_standby_names = 'gone'");
  await client.query("SELECT pg_reload_conf()");
  // A commit waits only once the checkpointer has read the setting, which a session may have read before it.
  let waits = false;
  const write = () => client.query("INSERT INTO outbox_events (event_type, payload) VALUES ('a', '{}')");
  const written = (async () => {
    while (!waits) await write();
  })();
  await waitFor(() => isStandbyAwaited(other), { message: "a commit waits" });
  waits = true;
  const runtime = openTestRuntime(server.url, RELAYED);
  onTestFinished(() => runtime.close());
  const causes = async () => (await examineOutbox({ runtime, outbox: "orders" })).causes;
  await waitFor(async () => (await causes())[0]?.rule === "read_only", {
    intervalMs: 500,
    message: "the standby is named",
  });
  expect(await causes()).toMatchObject([
    {
      rule: "read_only",
      what: 'the database takes no writes (commits wait for a synchronous standby that does not confirm them, synchronous_standby_names is "gone")',
      nextStep: expect.stringMatching(/^Bring the standby back/),
    },
  ]);
  const { checks } = await checkHealth({ runtime, outbox: "orders" });
  expect(checks?.["orders:progress"]).toMatchObject([
    { status: "fail", output: expect.stringMatching(/^Not delivering: the database takes no writes/) },
  ]);
  await released();
  await written;
});

/** The server as a standby without a primary; the statement's commit is the last that it has replayed. */
async function becomeStandbyAfter(statement: string): Promise<void> {
  const client = await connect();
  await client.query("CHECKPOINT");
  await client.query(statement);
  // Without a shutdown checkpoint the last commit is replayed at the next start.
  process.kill(server.pid, "SIGQUIT");
  await server.exited;
  const signal = join(dataDir, "data", "standby.signal");
  await writeFile(signal, "");
  server = await startEmbeddedPostgres({ dataDir, settings });
  onTestFinished(async () => {
    await server.stop();
    await rm(signal);
    server = await startEmbeddedPostgres({ dataDir, settings });
  });
}

test("a hot standby that has replayed nothing for a while shows how old its rows are, and no clock that differs", async () => {
  await becomeStandbyAfter("INSERT INTO outbox_events (event_type, payload) VALUES ('a', '{}')");
  const runtime = openTestRuntime(server.url);
  onTestFinished(() => runtime.close());
  const [outbox] = (await runtime.tables()).outboxes;
  const { snapshot, clockOffsetMs } = await examineOutbox({ runtime, outbox: outbox?.name ?? "" });
  expect(Date.parse(snapshot.asOf)).toBeLessThan(Date.now() - 100);
  expect(clockOffsetMs).toBe(0);
  const figures = outbox && (await outboxOf(outbox).read.figures());
  expect(figures).toMatchObject({ standsStill: true });
});

test("a relay that was heard just before its database became a standby is said to be stopped by that", async () => {
  await becomeStandbyAfter(`INSERT INTO outbox_console.relay_instance
    (id, outbox, host, pid, version, state, source, sink, latency, heartbeat_at, routes, last_published_at)
    VALUES ('a', 'orders', 'shop-1', 1, '1', 'owner', 'polling', '{"name": "log", "address": "log"}', '{}', clock_timestamp(), '[]', clock_timestamp())`);
  const runtime = openTestRuntime(server.url, RELAYED);
  onTestFinished(() => runtime.close());
  const examine = async () => (await examineOutbox({ runtime, outbox: "orders" })).causes;
  await waitFor(async () => (await examine())[0]?.rule === "read_only", {
    timeoutMs: 15_000,
    intervalMs: 500,
    message: "the database is said to take no writes",
  });
  expect((await examine())[0]).toMatchObject({ what: "the database takes no writes (the server is a standby)" });
});

/** A standby that streams from the server and applies each commit later by `delayMs`. */
async function startDelayedStandby(delayMs: number): Promise<EmbeddedPostgres> {
  const copy = await mkdtemp(join(tmpdir(), "outbox-console-delayed-"));
  await server.stop();
  // Keeps the owner, which is another user where root runs the test.
  await promisify(execFile)("cp", ["-a", `${dataDir}/.`, copy]);
  server = await startEmbeddedPostgres({ dataDir, settings });
  await writeFile(join(copy, "data", "standby.signal"), "");
  const { hostname, port, username, password } = new URL(server.url);
  const primary = `host=${hostname} port=${port} user=${username} password=${password}`;
  const standby = await startEmbeddedPostgres({
    dataDir: copy,
    settings: { ...settings, primary_conninfo: primary, recovery_min_apply_delay: String(delayMs) },
  });
  onTestFinished(async () => {
    await standby.stop();
    await rm(copy, { recursive: true, force: true });
  });
  return standby;
}

test("a relay whose heartbeats a standby applies late is not said to be stopped", async () => {
  const client = await connect();
  await client.query("DELETE FROM outbox_console.relay_instance");
  await client.end();
  const standby = await startDelayedStandby(15_000);
  const primary = await connect();
  await primary.query(`INSERT INTO outbox_console.relay_instance
    (id, outbox, host, pid, version, state, source, sink, latency, heartbeat_at, routes)
    VALUES ('b', 'orders', 'shop-1', 1, '1', 'owner', 'polling', '{"name": "log", "address": "log"}', '{}', clock_timestamp(), '[]')`);
  let beats = true;
  const beating = (async () => {
    while (beats)
      await primary.query("UPDATE outbox_console.relay_instance SET heartbeat_at = clock_timestamp() WHERE id = 'b'");
  })();
  onTestFinished(async () => {
    beats = false;
    await beating;
    await primary.end();
  });
  const runtime = openTestRuntime(standby.url, RELAYED);
  onTestFinished(() => runtime.close());
  const { snapshot, causes } = await waitFor(
    async () => {
      const examined = await examineOutbox({ runtime, outbox: "orders" });
      return (examined.snapshot.relays?.known ?? 0) > 0 ? examined : null;
    },
    { intervalMs: 500, message: "the standby has applied a heartbeat" },
  );
  expect([causes.map(({ rule }) => rule), snapshot.relays]).toMatchObject([[], { alive: 1 }]);
});
