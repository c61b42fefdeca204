import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { messageQuerySchema } from "#contracts/message/messages.ts";
import { blockedQuerySchema } from "#contracts/outbox/blocked.ts";
import { lockOutbox } from "#db/stores/postgres/tables/outbox-lock.ts";
import { checkHealth } from "#services/health/check-health.ts";
import { explainMessage } from "#services/messages/explain-message.ts";
import { listBlocked } from "#services/messages/list-blocked.ts";
import { listMessages } from "#services/messages/list-messages.ts";
import { takeSnapshot } from "#services/outboxes/take-snapshot.ts";
import { waitFor } from "#tests/wait-for.ts";
import { type Delivery, distinct, insertEvents, inversions, openRelayRuntime } from "../testing/outbox.fixture.ts";
import {
  cdcLine,
  confirmedBeyond,
  createSlot,
  currentLsn,
  dropSlot,
  openStreamHarness,
  type StreamHarness,
  waitUntilConnected,
} from "../testing/stream.fixture.ts";

describe("a relay that marks nothing and relies on the log alone", () => {
  let harness: StreamHarness;
  let slot: string;
  let relay: string[];
  beforeEach(async () => {
    harness = await openStreamHarness();
    slot = harness.slot;
    relay = ["source: cdc", cdcLine(slot, "none")];
  });
  afterEach(() => harness.close());
  const waitUntilDelivered = (count: number) =>
    waitFor(() => distinct(harness.deliveries()) >= count, { message: `${count} were delivered` });
  const waitUntilConfirmed = async () => {
    const lsn = await currentLsn(harness);
    await waitFor(() => confirmedBeyond(harness, slot, lsn), { message: "all is confirmed" });
  };
  const delivery = (sql: string) => harness.scalar(`SELECT ${sql} FROM outbox_console.delivery`);

  test("publishes rows once, also those deleted in the transaction that inserted them, and writes nothing to the table", async () => {
    await harness.start({ relay });
    await waitUntilConnected(harness);
    await insertEvents(harness.pool, { count: 20, aggregates: 2 });
    const writer = await harness.pool.connect();
    await writer.query("BEGIN");
    await insertEvents(writer, { count: 4, aggregates: 2, from: 10 });
    await writer.query("DELETE FROM outbox_events WHERE (payload->>'n')::int >= 10");
    await writer.query("COMMIT");
    writer.release();
    await waitUntilDelivered(24);
    await waitUntilConfirmed();
    await harness.stop();
    await harness.start({ relay });
    await waitUntilConnected(harness);
    await insertEvents(harness.pool, { count: 2, aggregates: 2, from: 12 });
    await waitUntilDelivered(26);
    expect(harness.receiver.requests).toHaveLength(26);
    expect(inversions(harness.deliveries())).toEqual([]);
    expect(await harness.scalar("SELECT count(*)::int FROM outbox_events WHERE published_at IS NULL")).toBe(22);
    expect(await delivery("count(*)::int")).toBe(0);
  });

  test("a failed message and those behind it move to the store side, hold back no slot, survive a restart and go out in order", async () => {
    // On a slow machine it must not run out of attempts.
    const patient = [...relay, "maxAttempts: 1000"];
    await harness.start({ relay: patient });
    await waitUntilConnected(harness);
    let broken = true;
    harness.receiver.answerWith(({ body }) => {
      const { aggregate, n }: Delivery = JSON.parse(body.toString("utf8"));
      return { status: broken && aggregate === "a0" && n === 0 ? 500 : 204 };
    });
    await insertEvents(harness.pool, { count: 20, aggregates: 2 });
    await waitUntilDelivered(11);
    await insertEvents(harness.pool, { count: 20, aggregates: 2, from: 10 });
    await waitUntilDelivered(21);
    await waitUntilConfirmed();
    expect(await delivery("count(*)::int")).toBe(20);
    await harness.stop();
    await harness.pool.query("DELETE FROM outbox_events");
    await harness.start({ relay: patient });
    await waitUntilConnected(harness);
    await insertEvents(harness.pool, { count: 2, aggregates: 2, from: 20 });
    await waitUntilDelivered(22);
    broken = false;
    await waitUntilDelivered(42);
    expect(inversions(harness.deliveries())).toEqual([]);
    await waitFor(async () => (await delivery("count(*)::int")) === 0, { message: "nothing is kept any more" });
    expect(harness.receiver.requests.filter(({ body }) => JSON.parse(body.toString("utf8")).n > 0)).toHaveLength(40);
  });

  test("a dead message whose row is gone is sent by its record once that says that it is due", async () => {
    await harness.start({ relay: [...relay, "maxAttempts: 1"] });
    await waitUntilConnected(harness);
    harness.receiver.answerWith({ status: 422 });
    await insertEvents(harness.pool, { count: 1, aggregates: 1 });
    await waitFor(async () => (await delivery("count(dead_at)::int")) === 1, { message: "it is dead" });
    await harness.pool.query("DELETE FROM outbox_events");
    harness.receiver.answerWith({ status: 204 });
    // As docs/cdc.md has it.
    await harness.pool.query(
      "UPDATE outbox_console.delivery SET attempts = 0, dead_at = NULL, next_attempt_at = now() WHERE outbox = 'orders'",
    );
    await waitFor(async () => (await delivery("count(*)::int")) === 0, { message: "it is out" });
    expect(harness.receiver.requests).toHaveLength(2);
  });

  test("of rows that stay, what is recorded is told; of the others it is unknown whether they wait", async () => {
    // On a slow machine it must not run out of attempts.
    await harness.start({ relay: [...relay, "maxAttempts: 1000"] });
    await waitUntilConnected(harness);
    harness.receiver.answerWith(({ body }) => ({ status: body.includes('"a0"') ? 500 : 204 }));
    await insertEvents(harness.pool, { count: 20, aggregates: 2 });
    await waitFor(async () => (await delivery("count(*)::int")) === 10, { message: "what waits is recorded" });
    await waitUntilDelivered(11);
    // Otherwise the failed one may be with the sink again.
    await harness.stop();
    // Marked by another program.
    await harness.pool.query(
      "UPDATE outbox_events SET published_at = now() WHERE aggregate_id = 'a1' AND payload->>'n' = '0'",
    );
    const { databaseUrl, receiver } = harness;
    const runtime = openRelayRuntime({ databaseUrl, sinkUrl: `${receiver.url}/events`, relay });
    try {
      const of = { runtime, outbox: "orders" };
      const { counts, verdict, blocked, ...snapshot } = await takeSnapshot(of);
      expect(counts).toMatchObject({
        ...{ pending: { value: 9, precision: "capped" }, failed: { value: 1, precision: "exact" }, dead: { value: 0 } },
        ...{
          in_flight: { value: 0 },
          published: { value: 1, precision: "capped" },
          unknown: { value: 9, precision: "exact" },
        },
      });
      expect(snapshot).toMatchObject({
        rowsTell: false,
        oldestPendingKnown: false,
        oldestPending: { ageSeconds: expect.any(Number) },
      });
      expect(blocked.messages).toEqual({ value: 9, precision: "exact" });
      // The relay has stopped, and the server still says how far its slot has come.
      expect(verdict.evidence).toMatch(
        /^At least 10 messages wait, the oldest .+; \d+(\.\d+)? k?B of log is not confirmed\./,
      );
      expect(verdict.causes.map(({ rule }) => rule)).not.toContain("unknown_status");
      const idsOf = async (state: string) =>
        (await listMessages({ ...of, query: messageQuerySchema.parse({ state }) })).messages.map(({ id }) => id);
      expect(await Promise.all(["pending", "failed", "unsent", "published", "unknown"].map(idsOf))).toMatchObject([
        ...[{ length: 9 }, { length: 1 }, { length: 10 }, { length: 1 }, { length: 9 }],
      ]);
      const query = blockedQuerySchema.parse({});
      expect((await listBlocked({ ...of, query })).aggregates).toMatchObject([
        { aggregateKey: "order/a0", waiting: { value: 9, precision: "exact" } },
      ]);
      const [sent = ""] = await idsOf("unknown");
      expect((await explainMessage({ ...of, id: sent })).summary).toMatch(
        /does not say whether it was sent: .* position in the log/,
      );
      const { checks } = await checkHealth({ runtime });
      expect(checks?.["orders:oldestPending"]?.[0]?.output).toMatch(/at least/);
      expect(checks?.["orders:unknown"]).toBeUndefined();
    } finally {
      await runtime.close();
    }
  });

  test("a sink that is down uses up no attempts and gets everything in order afterwards", async () => {
    await harness.start({ relay });
    await waitUntilConnected(harness);
    harness.receiver.answerWith({ status: 503 });
    await insertEvents(harness.pool, { count: 300, aggregates: 10 });
    await harness.receiver.waitForRequests(3);
    const before = harness.receiver.requests.length;
    harness.receiver.answerWith({ status: 204 });
    await waitFor(() => distinct(harness.deliveries().slice(before)) === 300, {
      message: "all came",
    });
    expect(inversions(harness.deliveries().slice(before))).toEqual([]);
    await waitUntilConfirmed();
    expect(await harness.scalar("SELECT count(*)::int FROM outbox_console.attempt")).toBe(0);
  });

  test("a probe that could not be claimed is not forgotten, and nothing overtakes it", async () => {
    await harness.start({ relay });
    await waitUntilConnected(harness);
    harness.receiver.answerWith({ status: 503 });
    await insertEvents(harness.pool, { count: 24, aggregates: 12 });
    await harness.receiver.waitForRequests(1);
    const operator = await harness.pool.connect();
    await operator.query("BEGIN");
    await lockOutbox(operator, "orders", "exclusive");
    // By session and start: other sessions may wait for the operator too.
    const waiting = `SELECT pid || ' ' || query_start FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`;
    const probe = await waitFor(() => harness.scalar(waiting), { message: "a probe waits for the operator" });
    const stillWaits = `SELECT count(*)::int FROM (${waiting}) AS w (one) WHERE one = '${probe}'`;
    await waitFor(async () => (await harness.scalar(stillWaits)) === 0, { message: "it does not wait any more" });
    await operator.query("ROLLBACK");
    operator.release();
    const before = harness.receiver.requests.length;
    harness.receiver.answerWith({ status: 204 });
    const delivered = () => harness.deliveries().slice(before);
    await waitFor(() => distinct(delivered()) === 24, { message: "all came" });
    expect(inversions(delivered())).toEqual([]);
  });

  test("returning the attempts of a sink failure loses no message", async () => {
    await harness.start({ relay: [...relay, "maxAttempts: 50"] });
    await waitUntilConnected(harness);
    harness.receiver.answerWith({ status: 500 });
    await insertEvents(harness.pool, { count: 2, prefix: "alone" });
    await waitFor(async () => Number(await delivery("max(attempts)")) >= 2, {
      message: "two attempts are charged",
    });
    await insertEvents(harness.pool, { count: 4, aggregates: 4, prefix: "more" });
    await waitFor(async () => (await delivery("max(attempts)")) === 0, {
      message: "they are undone",
    });
    const before = harness.receiver.requests.length;
    harness.receiver.answerWith({ status: 204 });
    await waitFor(() => distinct(harness.deliveries().slice(before)) === 6, { message: "all came" });
    expect(inversions(harness.deliveries().slice(before))).toEqual([]);
    await waitFor(async () => (await delivery("count(*)::int")) === 0, { message: "nothing is kept any more" });
  });

  test("paused messages wait on the store side, hold back no slot, and resume in order", async () => {
    await harness.pool.query(
      "INSERT INTO outbox_console.pause (outbox, scope, subject, reason, by) VALUES ('orders', 'aggregate', 'order/a0', 'test', 'me')",
    );
    await harness.start({ relay });
    await waitUntilConnected(harness);
    await insertEvents(harness.pool, { count: 10, aggregates: 2 });
    await waitUntilDelivered(5);
    await waitUntilConfirmed();
    await insertEvents(harness.pool, { count: 10, aggregates: 2, from: 5 });
    await waitUntilDelivered(10);
    await waitUntilConfirmed();
    expect(await delivery("count(*)::int")).toBe(10);
    await harness.pool.query("DELETE FROM outbox_console.pause");
    await waitUntilDelivered(20);
    expect(inversions(harness.deliveries())).toEqual([]);
  });

  test("after a cut connection unconfirmed messages are read again, and none still in memory is published twice", async () => {
    await harness.start({ relay });
    await waitUntilConnected(harness);
    harness.receiver.answerWith(({ index }) => ({ status: 204, delayMs: index === 0 ? 1500 : 0 }));
    const writer = await harness.pool.connect();
    await writer.query("BEGIN");
    await insertEvents(writer, { count: 50, aggregates: 50 });
    await writer.query("COMMIT");
    writer.release();
    await harness.receiver.waitForRequests(50);
    await harness.pool.query(
      "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = $1 AND active",
      [slot],
    );
    await waitUntilConfirmed();
    expect(harness.receiver.requests).toHaveLength(50);
  });

  test("a publication that loses the table under an open connection stops the relay, which says so", async () => {
    await harness.start({ relay });
    await waitUntilConnected(harness);
    await harness.pool.query(`ALTER PUBLICATION ${slot} DROP TABLE outbox_events`);
    const state = () => harness.scalar("SELECT state || ': ' || last_error FROM outbox_console.relay_instance");
    await waitFor(async () => /^holding: .*does not cover/.test(String(await state())), { message: "it stopped" });
    await harness.pool.query(`ALTER PUBLICATION ${slot} ADD TABLE outbox_events`);
    await waitUntilConnected(harness);
    await insertEvents(harness.pool, { count: 4, aggregates: 2 });
    await waitUntilDelivered(4);
  });

  test("a lost slot stops the relay, which says so, until someone creates another", async () => {
    await harness.start({ relay });
    await waitUntilConnected(harness);
    await harness.pool.query(
      "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = $1 AND active",
      [slot],
    );
    await dropSlot(harness.pool, slot);
    const says = (text: string) => async () =>
      String(await harness.scalar("SELECT state || ' ' || last_error FROM outbox_console.relay_instance")).includes(
        text,
      );
    await waitFor(says("holding There is no replication slot"), { message: "the relay holds" });
    expect(await says("Nothing is published")()).toBe(true);
    await createSlot(harness.pool, slot);
    await waitUntilConnected(harness);
    await insertEvents(harness.pool, { count: 1 });
    await waitUntilDelivered(1);
    await waitFor(async () => (await harness.scalar("SELECT state FROM outbox_console.relay_instance")) === "owner", {
      message: "the relay works",
    });
  });
});
