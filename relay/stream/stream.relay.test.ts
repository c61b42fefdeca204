import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { distinct, insertEvents, inversions, unsentCount } from "../testing/outbox.fixture.ts";
import {
  cdcLine,
  confirmedBeyond,
  createSlot,
  currentLsn,
  dropSlot,
  openStreamHarness,
  type StreamHarness,
  streamState,
  waitUntilConnected,
} from "../testing/stream.fixture.ts";

describe("a relay that reads the log", () => {
  let harness: StreamHarness;
  let slot: string;
  let relay: string[];
  beforeEach(async () => {
    harness = await openStreamHarness();
    slot = harness.slot;
    relay = ["source: cdc", cdcLine(slot)];
  });
  afterEach(() => harness.close());

  test("publishes existing and new messages in order per aggregate, marks and confirms them", async () => {
    await insertEvents(harness.pool, { count: 500, aggregates: 7 });
    await harness.start({ relay });
    await harness.waitUntilSent();
    await waitUntilConnected(harness);
    for (let from = 100; from < 150; from += 1) await insertEvents(harness.pool, { count: 7, aggregates: 7, from });
    await harness.waitUntilSent();
    expect(harness.receiver.requests).toHaveLength(850);
    expect(distinct(harness.deliveries())).toBe(850);
    expect(inversions(harness.deliveries())).toEqual([]);
    const lsn = await currentLsn(harness);
    await waitFor(() => confirmedBeyond(harness, slot, lsn), { message: "all is confirmed" });
    expect(await harness.scalar("SELECT count(*)::int FROM outbox_console.claim")).toBe(0);
  });

  test("messages of one aggregate follow the order of their commits", async () => {
    await harness.start({ relay });
    await waitUntilConnected(harness);
    harness.receiver.answerNext({ status: 204, delayMs: 1000 });
    await insertEvents(harness.pool, { count: 1, from: 0 });
    await harness.receiver.waitForRequests(1);
    const early = await harness.pool.connect();
    await early.query("BEGIN");
    await insertEvents(early, { count: 1, from: 2 });
    await insertEvents(harness.pool, { count: 1, from: 1 });
    await early.query("COMMIT");
    early.release();
    await harness.waitUntilSent();
    expect(harness.deliveries().map(({ n }) => n)).toEqual([0, 1, 2]);
  });

  test("a failing message holds back neither the slot nor other aggregates; messages behind it go out in order", async () => {
    await harness.start({ relay });
    await waitUntilConnected(harness);
    let broken = true;
    harness.receiver.answerWith(({ body }) => {
      const { aggregate, n } = JSON.parse(body.toString("utf8"));
      return { status: broken && aggregate === "a0" && n === 0 ? 500 : 204 };
    });
    await insertEvents(harness.pool, { count: 40, aggregates: 2 });
    await waitFor(async () => (await unsentCount(harness.pool)) === 20, { message: "the other aggregate is through" });
    await insertEvents(harness.pool, { count: 40, aggregates: 2, from: 20 });
    const lsn = await currentLsn(harness);
    await waitFor(() => confirmedBeyond(harness, slot, lsn), { message: "the slot goes on" });
    await waitFor(async () => (await unsentCount(harness.pool)) === 40, { message: "the other aggregate goes on" });
    broken = false;
    await harness.waitUntilSent();
    expect(distinct(harness.deliveries())).toBe(80);
    expect(inversions(harness.deliveries())).toEqual([]);
    await insertEvents(harness.pool, { count: 2, aggregates: 2, from: 40 });
    await harness.waitUntilSent();
    expect(inversions(harness.deliveries())).toEqual([]);
  });

  test("an operator dead-letters a message that waits: it is not sent, and later ones are", async () => {
    await harness.start({ relay });
    await waitUntilConnected(harness);
    harness.receiver.answerWith(({ body }) => ({ status: JSON.parse(body.toString("utf8")).n === 0 ? 500 : 204 }));
    await insertEvents(harness.pool, { count: 3 });
    await waitFor(async () => (await harness.scalar("SELECT count(*)::int FROM outbox_console.delivery")) === 1, {
      message: "the first has failed",
    });
    await harness.pool.query(
      "INSERT INTO outbox_console.delivery (outbox, message_id, dead_at) SELECT 'orders', id, now() FROM outbox_events WHERE seq = 2",
    );
    harness.receiver.answerWith({ status: 204 });
    await waitFor(async () => (await unsentCount(harness.pool)) === 1, { message: "the rest is out" });
    expect([...new Set(harness.deliveries().map(({ n }) => n))]).toEqual([0, 2]);
  });

  test("a relay that was stopped still says which slot it read, and that it reads it no more", async () => {
    await harness.start({ relay });
    await waitUntilConnected(harness);
    await harness.stop();
    expect(await harness.scalar("SELECT state FROM outbox_console.relay_instance")).toBe("stopped");
    expect(await streamState(harness)).toMatchObject({ slot, connected: false, problem: null });
  });

  test("an idle outbox retains no WAL of other tables' writes", async () => {
    await harness.start({ relay });
    await waitUntilConnected(harness);
    await harness.pool.query("CREATE TABLE elsewhere AS SELECT i, repeat('x', 100) FROM generate_series(1, 20000) i");
    const lsn = await currentLsn(harness);
    await waitFor(() => confirmedBeyond(harness, slot, lsn), { message: "the slot follows" });
  });

  test("a column is added while the log is read", async () => {
    await harness.start({ relay });
    await waitUntilConnected(harness);
    await insertEvents(harness.pool, { count: 1 });
    await harness.waitUntilSent();
    await harness.pool.query("ALTER TABLE outbox_events ADD COLUMN more text DEFAULT 'x'");
    await insertEvents(harness.pool, { count: 1, from: 1 });
    await harness.waitUntilSent();
    expect(harness.deliveries().map(({ n }) => n)).toEqual([0, 1]);
  });

  test("rows that are missing from the log are found in the table", async () => {
    await harness.start({ relay });
    await waitUntilConnected(harness);
    await insertEvents(harness.pool, { count: 1 });
    await harness.waitUntilSent();
    await harness.pool.query(`ALTER PUBLICATION ${slot} SET (publish = 'update')`);
    await insertEvents(harness.pool, { count: 3, from: 1 });
    await harness.waitUntilSent();
    expect(harness.deliveries().map(({ n }) => n)).toEqual([0, 1, 2, 3]);
  });

  test("a lost slot is reported, the table is polled meanwhile, and the log is read again once the slot is replaced", async () => {
    await harness.start({ relay });
    await waitUntilConnected(harness);
    await harness.pool.query("SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = $1", [
      slot,
    ]);
    await dropSlot(harness.pool, slot);
    await insertEvents(harness.pool, { count: 3 });
    await harness.waitUntilSent();
    const lastError = "SELECT last_error FROM outbox_console.relay_instance";
    await waitFor(async () => String(await harness.scalar(lastError)).includes("no replication slot"), {
      message: "the heartbeat says so",
    });
    expect(await harness.scalar("SELECT state FROM outbox_console.relay_instance")).toBe("owner");
    await createSlot(harness.pool, slot);
    await waitUntilConnected(harness);
    await insertEvents(harness.pool, { count: 3, from: 3 });
    await harness.waitUntilSent();
    expect(harness.deliveries().map(({ n }) => n)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test.each([
    ["loses the table", "DROP TABLE outbox_events", "ADD TABLE outbox_events", /does not cover public\.outbox_events/],
    ["loses the inserts", "SET (publish = 'delete')", "SET (publish = 'insert')", /does not publish inserts/],
  ])(
    "a publication that %s under an open connection is reported until it is mended",
    async (_, breaks, mends, said) => {
      await harness.start({ relay });
      await waitUntilConnected(harness);
      await harness.pool.query(`ALTER PUBLICATION ${slot} ${breaks}`);
      const problem = () => harness.scalar("SELECT stream ->> 'problem' FROM outbox_console.relay_instance");
      expect(await waitFor(problem, { message: "the relay says why the log is not read" })).toMatch(said);
      await insertEvents(harness.pool, { count: 4, aggregates: 2 });
      await waitFor(() => distinct(harness.deliveries()) === 4, { message: "the table is polled" });
      await harness.pool.query(`ALTER PUBLICATION ${slot} ${mends}`);
      await waitUntilConnected(harness);
      expect(await problem()).toBeNull();
    },
  );

  test("a sink that is down holds back no slot and keeps the order", async () => {
    await harness.start({ relay });
    await waitUntilConnected(harness);
    harness.receiver.answerWith({ status: 503 });
    await insertEvents(harness.pool, { count: 30, aggregates: 3 });
    const lsn = await currentLsn(harness);
    await waitFor(() => confirmedBeyond(harness, slot, lsn), { message: "the slot goes on" });
    await insertEvents(harness.pool, { count: 30, aggregates: 3, from: 10 });
    const before = harness.receiver.requests.length;
    harness.receiver.answerWith({ status: 204 });
    await harness.waitUntilSent(30_000);
    const after = harness.deliveries().slice(before);
    expect(inversions(after)).toEqual([]);
    expect(await harness.scalar("SELECT count(*)::int FROM outbox_console.attempt")).toBe(0);
  });

  test("mark: delete deletes published rows", async () => {
    await harness.start({ relay: ["source: cdc", cdcLine(slot, "delete")] });
    await waitUntilConnected(harness);
    await insertEvents(harness.pool, { count: 10, aggregates: 3 });
    await waitFor(async () => (await harness.scalar("SELECT count(*)::int FROM outbox_events")) === 0, {
      message: "the table is empty",
    });
    expect(distinct(harness.deliveries())).toBe(10);
  });
});
