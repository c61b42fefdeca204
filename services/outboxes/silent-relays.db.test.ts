import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { startProtocolProxy } from "#tests/protocol-proxy.ts";
import { waitFor } from "#tests/wait-for.ts";
import { examineOutbox } from "./take-snapshot.ts";

const RELAYED = {
  outboxes: {
    orders: { store: "shop", table: "public.outbox_events", mode: "relay" as const, relay: { sink: "log" } },
  },
  sinks: { log: { kind: "log" as const } },
};
/** Longer than a reading waits for a heartbeat that it tries, and shorter than a silence, ms. */
const SLOW_MS = 1_300;
const SILENT_RELAY = `INSERT INTO outbox_console.relay_instance
  (id, outbox, host, pid, version, state, source, sink, latency, heartbeat_at, routes)
  VALUES ('a', 'orders', 'shop-1', 1, '1', 'owner', 'polling', '{"name": "log", "address": "log"}', '{}', clock_timestamp() - interval '5 s', '[]')`;

const database = testDatabase();

test("a database that takes no writes, and is too slow to say so again, is not said to take writes", async () => {
  const { pool, url, name } = database();
  await pool.query(OUTBOX_EVENTS);
  const { hostname, port } = new URL(url);
  let slow = false;
  const proxy = await startProtocolProxy({ host: hostname, port: Number(port) }, async (client, upstream) => {
    upstream.pipe(client);
    if (slow) await delay(SLOW_MS);
    client.pipe(upstream);
  });
  onTestFinished(() => proxy.close());
  const runtime = openTestRuntime(Object.assign(new URL(url), { port: String(proxy.port) }).toString(), RELAYED);
  onTestFinished(() => runtime.close());
  const examination = () => examineOutbox({ runtime, outbox: "orders" });
  const examine = async () => (await examination()).causes[0];
  await pool.query(`${SILENT_RELAY}; ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await waitFor(async () => (await examine())?.rule === "read_only", { message: "the refusal is read" });
  slow = true;
  const read = new Set<string>();
  const said = new Set<string>();
  await waitFor(
    async () => {
      const { snapshot, causes } = await examination();
      said.add(causes[0]?.what ?? "nothing");
      return read.add(snapshot.asOf).size > 4;
    },
    { intervalMs: 200, message: "it was read while it was slow" },
  );
  expect([...said]).toEqual([expect.stringMatching(/^the database takes no writes/)]);
  slow = false;
  const admin = await pool.connect();
  await admin.query("SET default_transaction_read_only = off");
  await admin.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
  admin.release(true);
  await waitFor(async () => (await examine())?.what.startsWith("the database takes writes again"), {
    message: "it is said to take writes again",
  });
});
