import { afterEach, beforeEach, expect, test } from "vitest";
import { openReplaySink } from "#relay/replay/open-replay-sink.ts";
import { type Delivery, insertEvents, inversions, openRelayRuntime, relayYaml } from "#relay/testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "#relay/testing/relay-harness.fixture.ts";
import { startWriters } from "#relay/testing/writers.fixture.ts";
import { parseConfig } from "#services/config/load-config.ts";
import type { OpenReplaySink } from "#services/operations/bulk/replay/replay-sink.ts";
import { openRuntime, type Runtime } from "#services/runtime.ts";
import { type ConnectStandIn, startConnectStandIn } from "#tests/connect-stand-in.ts";
import { ADMIN, contextOf } from "#tests/factories/runtime.ts";
import { waitFor } from "#tests/wait-for.ts";
import { listAudit } from "../../audit/list-audit.ts";
import { takeSnapshot } from "../../outboxes/take-snapshot.ts";
import { pauseRelay } from "../../relays/pause-relay.ts";
import { PAUSE_REASON } from "./change-over.ts";
import { startConnectorDouble } from "./connector-double.fixture.ts";
import { changeFromRelay } from "./from-relay.ts";
import { changeToRelay } from "./to-relay.ts";

let harness: RelayHarness;
let connect: ConnectStandIn;
let runtime: Runtime | undefined;
let slot: string;
let said: string[];

beforeEach(async () => {
  [harness, connect] = await Promise.all([openHarness(), startConnectStandIn()]);
  // Slots are of the whole server, which other tests use too.
  slot = `debezium_${new URL(harness.databaseUrl).pathname.slice(1)}`.slice(0, 63);
  said = [];
  await harness.pool.query(
    `CREATE PUBLICATION debezium_orders FOR TABLE outbox_events WITH (publish = 'insert, update')`,
  );
  Object.assign(connect.connector?.config ?? {}, {
    "slot.name": slot,
    "publication.name": "debezium_orders",
    "table.include.list": "public.outbox_events",
  });
  connect.connector?.offsets.splice(0);
});

afterEach(async () => {
  await runtime?.close();
  runtime = undefined;
  await harness.stop();
  await harness.pool.query(
    "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1",
    [slot],
  );
  await Promise.all([harness.close(), connect.close()]);
});

/** A runtime by the configuration of the relay, or with a connector in its place. */
async function by(publisher: "relay" | "connector"): Promise<Runtime> {
  await runtime?.close();
  runtime = undefined;
  const urls = { databaseUrl: harness.databaseUrl, sinkUrl: `${harness.receiver.url}/events` };
  if (publisher === "relay") runtime = openRelayRuntime(urls);
  else {
    const text = relayYaml(urls)
      .replace("mode: relay", "mode: operate")
      .replace(/relay: \{.*\}/, `relay: { source: debezium, connect: "${connect.url}", connector: orders-connector }`);
    runtime = openRuntime({ config: parseConfig(text, {}, "test"), applicationName: "test", env: {} });
  }
  return runtime;
}

async function input(publisher: "relay" | "connector", change: { act?: boolean; openSink?: OpenReplaySink } = {}) {
  const say = (line: string) => void said.push(line);
  return {
    runtime: await by(publisher),
    outbox: "orders",
    actor: ADMIN,
    act: true,
    openSink: openReplaySink,
    say,
    slot,
    ...change,
  };
}

const fromRelay = async (change: Parameters<typeof input>[1] = {}) => changeFromRelay(await input("relay", change));
const toRelay = async (change: Parameters<typeof input>[1] & { fromSlot?: boolean } = {}) =>
  changeToRelay(await input("connector", change), { fromSlot: change.fromSlot ?? false });
const slots = () => harness.scalar(`SELECT count(*)::int FROM pg_replication_slots WHERE slot_name = '${slot}'`);
const paused = () => harness.scalar("SELECT reason FROM outbox_console.pause WHERE outbox = 'orders'");
const keysOf = (deliveries: readonly Delivery[]) => deliveries.map(({ aggregate, n }) => `${aggregate}/${n}`);
const double = () => startConnectorDouble({ pool: harness.pool, connect, slot, publication: "debezium_orders" });

test("there and back while producers write: nothing is lost, nothing is repeated, nothing overtakes", async () => {
  const writers = startWriters(harness.pool, { writers: 3, aggregates: 5, pauseMs: 20 });
  await harness.start();
  await waitFor(() => harness.deliveries().length > 50, { message: "the relay publishes" });
  await fromRelay();
  await harness.stop();
  expect(await paused()).toBe(PAUSE_REASON);
  const first = harness.deliveries();

  const { verdict } = await takeSnapshot({ runtime: await by("connector"), outbox: "orders" });
  expect(verdict.causes.map(({ rule }) => rule)).not.toContain("paused");
  const connector = double();
  await waitFor(() => connector.published.length > 50, { message: "the connector publishes" });
  await toRelay();
  await connector.stop();
  expect(connect.acts).toEqual(["PUT /connectors/orders-connector/stop"]);
  expect(await paused()).toBeUndefined();
  const second = connector.published.map((payload) => JSON.parse(payload) as Delivery);

  await harness.start();
  await waitFor(() => harness.deliveries().length > first.length + 50, { message: "the relay publishes again" });
  const committed = await writers.stop();
  await harness.waitUntilSent();
  const all = [...first, ...second, ...harness.deliveries().slice(first.length)];
  expect([new Set(keysOf(all)).size, all.length]).toEqual([committed, committed]);
  expect(inversions(all)).toEqual([]);
  const { entries } = await listAudit({
    runtime: await by("relay"),
    query: { limit: 100, action: "relay.change_over" },
  });
  expect(entries[0]?.detail).toMatch(/messages published by the connector$/);
  expect(entries.some(({ detail }) => detail?.startsWith("to connector orders-connector at "))).toBe(true);
});

test("a run that dies before its mark leaves no slot; the next one repeats what was being sent", async () => {
  await harness.start();
  await pauseForNothing();
  await insertEvents(harness.pool, { count: 3 });
  const dying: OpenReplaySink = async (asked) => {
    const sink = await openReplaySink(asked);
    const publish = async (...sent: Parameters<typeof sink.publish>) => {
      await sink.publish(...sent);
      throw new Error("killed");
    };
    return { ...sink, publish };
  };
  await expect(fromRelay({ openSink: dying })).rejects.toThrow("killed");
  expect([await slots(), await paused()]).toEqual([0, PAUSE_REASON]);
  await fromRelay();
  expect(await slots()).toBe(1);
  expect(keysOf(harness.deliveries()).toSorted()).toEqual(["a0/0", "a0/0", "a0/1", "a0/1", "a0/2", "a0/2"]);
  await fromRelay();
  expect(harness.deliveries()).toHaveLength(6);
});

/** Pauses the relay, so that it does not publish the next rows. */
async function pauseForNothing(): Promise<void> {
  const request = { reason: PAUSE_REASON, minutes: null };
  await pauseRelay({ ctx: contextOf(await by("relay"), ADMIN), outbox: "orders", request });
  const state = () => harness.scalar("SELECT state FROM outbox_console.relay_instance");
  await waitFor(async () => (await state()) === "paused", { message: "the relay has obeyed" });
}

test("the way back waits while Kafka Connect rebalances, before and after it stops the connector", async () => {
  await fromRelay();
  await insertEvents(harness.pool, { count: 3 });
  const connector = double();
  await waitFor(() => connector.published.length === 3, { message: "the connector publishes" });
  connect.rebalance = { requests: 2, afterActs: 2 };
  await toRelay();
  await connector.stop();
  expect(connect.acts).toEqual(["PUT /connectors/orders-connector/stop"]);
  expect(await paused()).toBeUndefined();
});

test("without --yes the steps are said and nothing is done", async () => {
  await harness.start();
  await fromRelay({ act: false });
  expect(said.join("\n")).toMatch(/1\. Pause outbox orders.*Nothing was done/s);
  expect([await slots(), await paused()]).toEqual([0, undefined]);
});

test("what it does not understand it leaves alone", async () => {
  await harness.start();
  await harness.pool.query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [slot]);
  await expect(fromRelay()).rejects.toThrow(
    /is not paused: what its relay publishes now, a connector .* publishes too/,
  );
  await expect(toRelay()).rejects.toThrow(/Connect has stored no offset\. Answer with --from-slot/);
  Object.assign(connect.connector?.config ?? {}, { "table.include.list": "public.outbox_events,public.orders" });
  await expect(toRelay()).rejects.toThrow(/also publishes public\.orders, which would stop too/);
});
