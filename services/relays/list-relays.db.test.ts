import { afterEach, beforeAll, expect, test } from "vitest";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { whyNoMonitor } from "../monitor-alive.ts";
import type { Runtime } from "../runtime.ts";
import { listRelays } from "./list-relays.ts";

const migrated = testDatabase("migrated");
const bare = testDatabase("empty");
/** Nothing listens there. */
const SILENT_URL = "postgres://nobody@127.0.0.1:1/none";
let runtime: Runtime | undefined;

beforeAll(async () => {
  for (const database of [migrated, bare]) await database().pool.query(OUTBOX_EVENTS);
});
afterEach(async () => {
  await runtime?.close();
  runtime = undefined;
});

const open = (url: string, databaseUrl = url): Runtime => {
  runtime = openTestRuntime(url, {
    console: { databaseUrl },
    sinks: { stdout: { kind: "log" } },
    outboxes: { orders: { store: "shop", table: "outbox_events", mode: "relay", relay: { sink: "stdout" } } },
  });
  return runtime;
};

test("whether a monitor runs is not known while the console's database does not answer", async () => {
  const asked = open(migrated().url, SILENT_URL);
  expect((await listRelays({ runtime: asked })).monitor.alive).toBeNull();
  expect(await whyNoMonitor(asked, "do it")).toMatch(/is not known: .* does not answer\.$/);
});

test("no monitor runs where the console's database answers and has no lease of one", async () => {
  const asked = open(migrated().url);
  expect((await listRelays({ runtime: asked })).monitor.alive).toBe(false);
  expect(await whyNoMonitor(asked, "do it")).toMatch(/^No worker is alive to do it/);
});

test("partitions of a relay whose heartbeats are missing are those of its lease, not those that it last had", async () => {
  const { pool, url } = migrated();
  await pool.query(
    `INSERT INTO outbox_console.relay_instance
       (outbox, id, host, pid, version, started_at, heartbeat_at, state, source, sink, published, failures, latency, partitions)
     SELECT 'orders', id, 'host-1', 42, '1.2.3', now() - interval '1 h', now() - age * interval '1 s', 'owner', 'polling', '{}', 0, 0, '{}', 32
     FROM (VALUES ('killed', 60), ('silent', 6), ('fresh', 0)) AS relay (id, age)`,
  );
  await pool.query(
    `INSERT INTO outbox_console.lease (outbox, partition, owner, epoch, until)
     SELECT 'orders', p, CASE WHEN p < 8 THEN 'silent' ELSE 'fresh' END, 1, now() + interval '1 min' FROM generate_series(0, 31) p`,
  );
  const { relays } = await listRelays({ runtime: open(url) });
  expect(new Map(relays.map(({ id, state, partitions }) => [id, [state, partitions]]))).toEqual(
    new Map([
      ["fresh", ["owner", 32]],
      ["silent", ["owner", 8]],
      ["killed", ["lost", 0]],
    ]),
  );
});

test("without our own tables nothing is known of relays, and the list says which tables are missing", async () => {
  const { relays, problems } = await listRelays({ runtime: open(bare().url) });
  expect(relays).toEqual([]);
  expect(problems).toEqual([{ outbox: "orders", message: expect.stringMatching(/own tables are missing/) }]);
});

test("an outbox whose mapping a person must confirm first is named with the question", async () => {
  await migrated().pool.query("CREATE TABLE guess (id int PRIMARY KEY, event_type text, payload json, status text)");
  const { url } = migrated();
  runtime = openTestRuntime(url, {
    console: { databaseUrl: url },
    sinks: { stdout: { kind: "log" } },
    outboxes: { guess: { store: "shop", table: "guess", mode: "relay", relay: { sink: "stdout" } } },
  });
  const { undecided } = await listRelays({ runtime });
  expect(undecided).toEqual([
    { outbox: "guess", message: expect.stringMatching(/^The mapping of outbox guess is only/) },
  ]);
});
