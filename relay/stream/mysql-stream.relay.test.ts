import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { messageQuerySchema } from "#contracts/message/messages.ts";
import { listMessages } from "#services/messages/list-messages.ts";
import { takeSnapshot } from "#services/outboxes/take-snapshot.ts";
import { flavorsFor } from "#tests/mysql.ts";
import { waitFor } from "#tests/wait-for.ts";
import { type MysqlHarness, openMysqlHarness } from "../testing/mysql-harness.fixture.ts";
import { distinct, inversions } from "../testing/outbox.fixture.ts";

describe.each(flavorsFor("mysql"))("a relay that reads the binary log of %s", (flavor) => {
  let harness: MysqlHarness;
  beforeEach(async () => {
    harness = await openMysqlHarness(flavor);
  });
  afterEach(() => harness.close());

  const unsent = async () => {
    const [row] = await harness.database.query("SELECT COUNT(*) AS n FROM outbox_events WHERE published_at IS NULL");
    return Number(row?.n);
  };
  const allSent = () => waitFor(async () => (await unsent()) === 0, { message: "all are marked" });
  /** Kills the sessions to which the server sends its log. */
  const killDumps = async () => {
    const rows = await harness.database.query(
      "SELECT id FROM information_schema.processlist WHERE command LIKE 'Binlog Dump%' AND db = ?",
      [harness.database.name],
    );
    for (const { id } of rows) await harness.database.query(`KILL ${id}`);
    return rows.length;
  };

  test("publishes existing and new messages in order per aggregate, and marks them", async () => {
    await harness.insert({ count: 300, aggregates: 7 });
    await harness.start();
    await allSent();
    await harness.connected();
    for (let from = 100; from < 130; from += 1) await harness.insert({ count: 7, aggregates: 7, from });
    await allSent();
    expect(harness.receiver.requests).toHaveLength(510);
    expect(distinct(harness.deliveries())).toBe(510);
    expect(inversions(harness.deliveries())).toEqual([]);
  });

  test("goes on when the server ends its sessions, and publishes nothing twice", async () => {
    await harness.start();
    await harness.connected();
    await harness.insert({ count: 20, aggregates: 4 });
    await harness.received(20);
    expect(await killDumps()).toBe(1);
    await harness.insert({ count: 20, aggregates: 4, from: 5 });
    await allSent();
    await harness.connected();
    await harness.insert({ count: 20, aggregates: 4, from: 10 });
    await allSent();
    expect(distinct(harness.deliveries())).toBe(60);
    expect(harness.receiver.requests).toHaveLength(60);
    expect(inversions(harness.deliveries())).toEqual([]);
  });

  test("with mark delete, what is published leaves the table", async () => {
    await harness.start("delete");
    await harness.connected();
    await harness.insert({ count: 30, aggregates: 3 });
    await harness.received(30);
    await waitFor(async () => (await harness.database.query("SELECT 1 FROM outbox_events")).length === 0, {
      message: "the table is empty",
    });
    expect(inversions(harness.deliveries())).toEqual([]);
  });

  test("without marks, publishes what the log has although the rows are gone, once over a restart and a cut", async () => {
    await harness.start("none");
    await harness.connected();
    await harness.insert({ count: 20, aggregates: 4 });
    await harness.received(20);
    expect(await killDumps()).toBe(1);
    await harness.insert({ count: 20, aggregates: 4, from: 5 });
    await harness.received(40);
    await harness.stop();
    await harness.insert({ count: 20, aggregates: 4, from: 10 });
    await harness.database.query("DELETE FROM outbox_events");
    await harness.start("none");
    await harness.received(60);
    await harness.insert({ count: 4, aggregates: 4, from: 15 });
    await harness.received(64);
    expect(distinct(harness.deliveries())).toBe(64);
    expect(harness.receiver.requests).toHaveLength(64);
    expect(inversions(harness.deliveries())).toEqual([]);
  });

  test("without marks, of rows that stay, what is recorded is told; of the others it is unknown whether they wait", async () => {
    await harness.start("none");
    await harness.connected();
    harness.receiver.answerWith(({ body }) => ({ status: body.includes('"a0"') ? 500 : 204 }));
    await harness.insert({ count: 20, aggregates: 2 });
    const of = { runtime: harness.runtime, outbox: "orders" };
    const look = async () => {
      const { counts, blocked } = await takeSnapshot(of);
      const tried = counts.failed.value + counts.in_flight.value;
      // The other aggregate's messages may still be in flight.
      return counts.pending.value === 9 && tried === 1 ? { ...counts, blocked: blocked.messages } : null;
    };
    const counts = await waitFor(look, { message: "what waits is recorded" });
    expect(counts).toMatchObject({
      ...{ pending: { precision: "capped" }, published: { precision: "unknown" } },
      ...{ unknown: { value: 10, precision: "exact" }, blocked: { value: 9, precision: "exact" } },
    });
    for (const [state, count] of [
      ["pending", 9],
      ["unsent", 10],
      ["unknown", 10],
    ] as const) {
      const query = messageQuerySchema.parse({ state });
      expect((await listMessages({ ...of, query })).messages, state).toHaveLength(count);
    }
  });

  test("without marks, a failing message holds back its aggregate alone, and is sent again as it was", async () => {
    await harness.start("none");
    await harness.connected();
    let broken = true;
    harness.receiver.answerWith(({ body }) => {
      const { aggregate, n } = JSON.parse(body.toString("utf8"));
      return { status: broken && aggregate === "a0" && n === 0 ? 500 : 204 };
    });
    await harness.insert({ count: 20, aggregates: 2 });
    const ofOther = () => distinct(harness.deliveries().filter(({ aggregate }) => aggregate === "a1"));
    await waitFor(() => ofOther() === 10, { message: "the other aggregate is through" });
    broken = false;
    await waitFor(() => distinct(harness.deliveries()) === 20, { message: "all are through" });
    expect(inversions(harness.deliveries())).toEqual([]);
  });
});
