import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { distinct, insertEvents, OUTBOX_DDL, type RelayYaml } from "../../testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";
import { relayProcesses } from "../../testing/relay-processes.fixture.ts";
import { startWriters } from "../../testing/writers.fixture.ts";

const RENAME = "ALTER TABLE outbox_events RENAME published_at TO delivered_at";
const RENAME_BACK = "ALTER TABLE outbox_events RENAME delivered_at TO published_at";
const SERIAL_DDL = OUTBOX_DDL.replace("id uuid PRIMARY KEY DEFAULT gen_random_uuid()", "id bigserial PRIMARY KEY");
const RECREATE = `DROP TABLE outbox_events; ${SERIAL_DDL};
  INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload) SELECT 'order', 'new', 'order.changed', '{"aggregate": "new", "n": 0}' FROM generate_series(1, 20)`;
const SWAP = `ALTER TABLE outbox_events ADD seen_at timestamptz; ALTER TABLE outbox_events RENAME published_at TO x;
  ALTER TABLE outbox_events RENAME seen_at TO published_at; ALTER TABLE outbox_events RENAME x TO seen_at`;

let harness: RelayHarness;
const relays = relayProcesses(() => harness);
afterEach(async () => {
  await relays.killAll();
  await harness.close();
});

/**
 * Messages are in flight, and the sink answers after the table was changed; returns when the relay has ended its term.
 */
async function changeInFlight(change: string, ddl: string, yaml: Partial<RelayYaml> = {}): Promise<void> {
  harness = await openHarness(ddl);
  const { pool, receiver, start, logged } = harness;
  receiver.answerWith({ status: 204, delayMs: 1500 });
  await insertEvents(pool, { count: 20, aggregates: 20 });
  await start(yaml);
  await receiver.waitForRequests(20);
  await pool.query(`BEGIN; ${change}; COMMIT`);
  await waitFor(async () => logged().includes("no longer fits the mapping that was accepted"), {
    timeoutMs: 30_000,
    message: "the relay says what changed",
  });
}

describe("a table that changes between claim and settle", () => {
  test("two columns that swap names: neither is written", async () => {
    await changeInFlight(SWAP, OUTBOX_DDL);
    expect(
      await harness.scalar("SELECT count(*)::int FROM outbox_events WHERE published_at IS NULL AND seen_at IS NULL"),
    ).toBe(20);
    expect(harness.receiver.requests).toHaveLength(20);
  });

  test.each([
    { name: "a time of publishing", yaml: {} },
    { name: "rows that are deleted", yaml: { outbox: ["lifecycle: { kind: delete }"] } },
  ])("a table that is created again with the same ids, by $name: no new row is marked or deleted", async ({ yaml }) => {
    await changeInFlight(RECREATE, SERIAL_DDL, yaml);
    expect(await harness.scalar("SELECT count(*)::int FROM outbox_events WHERE published_at IS NULL")).toBe(20);
    expect(harness.receiver.requests).toHaveLength(20);
  });

  test("a primary key that is dropped: nothing is marked while an id may be ambiguous", async () => {
    await changeInFlight("ALTER TABLE outbox_events DROP CONSTRAINT outbox_events_pkey", OUTBOX_DDL);
    const { pool, scalar, receiver, waitUntilSent, logged } = harness;
    expect(logged()).toContain("the primary key of public.outbox_events is gone; it was (id)");
    expect(await scalar("SELECT count(*)::int FROM outbox_events WHERE published_at IS NULL")).toBe(20);
    receiver.answerWith({ status: 204 });
    await pool.query("ALTER TABLE outbox_events ADD PRIMARY KEY (id)");
    await waitUntilSent(150_000);
    expect(distinct(harness.deliveries())).toBe(20);
  });

  test("a column that is renamed: nothing is marked, and everything is published once the column is back", async () => {
    await changeInFlight(RENAME, OUTBOX_DDL);
    const { pool, scalar, receiver, waitUntilSent } = harness;
    expect(await scalar("SELECT count(*)::int FROM outbox_events WHERE delivered_at IS NULL")).toBe(20);
    receiver.answerWith({ status: 204 });
    await pool.query(RENAME_BACK);
    await waitUntilSent(150_000);
    expect(distinct(harness.deliveries())).toBe(20);
    expect(await scalar("SELECT count(*)::int FROM outbox_events")).toBe(20);
  });
});

describe("a column that is renamed under load", { timeout: 300_000 }, () => {
  beforeEach(async () => {
    harness = await openHarness();
  });

  test("with kill -9 of one of two relays: both stop, nothing is deleted, nothing is lost", async () => {
    const { pool, receiver, scalar, waitUntilSent } = harness;
    await insertEvents(pool, { count: 500, aggregates: 50 });
    const first = await relays.spawn();
    const second = await relays.spawn();
    await waitUntilSent(150_000);
    const writers = startWriters(pool, { writers: 2, aggregates: 20, pauseMs: 5 });
    await receiver.waitForRequests(receiver.requests.length + 200);
    await pool.query(RENAME);
    first.kill("SIGKILL");
    await first.exited;
    await waitFor(async () => second.log().includes("delivered_at (timestamptz) is new"), {
      timeoutMs: 150_000,
      message: "the other says what changed",
    });
    const third = await relays.spawnSilent();
    await waitFor(async () => third.log().includes("delivered_at (timestamptz) is new"), {
      timeoutMs: 150_000,
      message: "a new one does not begin",
    });
    const sent = receiver.requests.length;
    const committed = 500 + (await writers.stop());
    expect(receiver.requests.length).toBe(sent);
    expect(await scalar("SELECT count(*)::int FROM outbox_events")).toBe(committed);
    await pool.query(RENAME_BACK);
    await waitUntilSent(150_000);
    expect(distinct(harness.deliveries())).toBe(committed);
    expect(await scalar("SELECT count(*)::int FROM outbox_events")).toBe(committed);
  });

  test("what the relay published before is not taken for another relay's, once the column is back", async () => {
    const { pool, start, waitUntilSent, logged } = harness;
    await start();
    await insertEvents(pool, { count: 10 });
    await waitUntilSent();
    await pool.query(RENAME);
    const said = "no longer fits the mapping that was accepted";
    await waitFor(async () => logged().includes(said), { timeoutMs: 30_000, message: said });
    await pool.query(RENAME_BACK);
    await insertEvents(pool, { count: 10, from: 10 });
    await waitUntilSent(150_000);
    expect(logged()).not.toContain("another relay");
  });

  test("another relay with a different configuration does not start, and the first goes on", async () => {
    const { pool, start, scalar, receiver, waitUntilSent } = harness;
    await pool.query("ALTER TABLE outbox_events ADD sent_at timestamptz");
    await start();
    await insertEvents(pool, { count: 10 });
    await waitUntilSent();
    const other = await relays.spawnSilent({ outbox: ["columns: { publishedAt: sent_at }"] });
    const said = "lifecycle timestamp by sent_at; it was lifecycle timestamp by published_at";
    await waitFor(async () => other.log().includes(said), { timeoutMs: 150_000, message: said });
    await insertEvents(pool, { count: 10, from: 10 });
    await waitUntilSent();
    expect(await scalar("SELECT count(*)::int FROM outbox_events WHERE sent_at IS NOT NULL")).toBe(0);
    expect(receiver.requests).toHaveLength(20);
  });
});
