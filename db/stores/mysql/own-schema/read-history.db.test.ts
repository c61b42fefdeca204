import { describe, expect, test } from "vitest";
import { flavorsFor, testMysqlDatabase } from "#tests/mysql.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { openPool } from "../connection/test-pool.fixture.ts";
import { withReadTransaction } from "../connection/transaction.ts";
import { listPauseRows } from "./pauses.ts";
import { readHistory } from "./read-history.ts";

describe.each(flavorsFor("mysql"))("what our tables on %s tell of a message", (flavor) => {
  const database = testMysqlDatabase(flavor);

  const historyOf = (id: string) =>
    withReadTransaction(openPool(database()), 5000, (session) =>
      readHistory(session, { name: "orders", storeSide: true } as OutboxRef, id),
    );
  const attempts = async (id: string, count: number) => {
    const rows = Array.from({ length: count }, (_, n) => ["orders", id, n + 1, "2024-01-01 00:00:00.000001", "failed"]);
    await database().query(
      `INSERT INTO ${database().own.database}.attempt (outbox, message_id, number, started_at, outcome) VALUES ?`,
      [rows],
    );
  };

  test.each([0, 1, 2, 99, 100, 101, 150])("%i attempts: the newest hundred and the first", async (count) => {
    const id = `of-${count}`;
    if (count > 0) await attempts(id, count);
    const read = (await historyOf(id)).attempts;
    const newest = Array.from({ length: Math.min(count, 100) }, (_, n) => count - n);
    expect(read.map(({ number }) => number)).toEqual(count > 100 ? [...newest, 1] : newest);
    expect(read.filter(({ first }) => first).map(({ number }) => number)).toEqual(count > 0 ? [1] : []);
    if (count > 0) expect(read[0]).toMatchObject({ startedAt: "2024-01-01T00:00:00.000001Z", durationMs: null });
  });

  test("a claim with the message, live or left behind, and not one with a similar id", async () => {
    const { database: own } = database().own;
    await database().query(`
      INSERT INTO ${own}.claim (token, outbox, owner, epoch, message_ids) VALUES ('t1', 'orders', 'relay-1', 7, '["a", "b"]');
      INSERT INTO ${own}.lease (outbox, \`partition\`, owner, epoch, until) VALUES ('orders', 0, 'relay-1', 7, UTC_TIMESTAMP() + INTERVAL 1 DAY)`);
    expect((await historyOf("a")).claim).toMatchObject({ owner: "relay-1", expired: false });
    expect((await historyOf("A")).claim).toBeNull();
    expect((await historyOf("a ")).claim).toBeNull();
    await database().query(`UPDATE ${own}.lease SET until = UTC_TIMESTAMP() - INTERVAL 1 DAY`);
    expect((await historyOf("b")).claim).toMatchObject({ expired: true });
  });

  test("pauses are listed up to a limit, and counted beyond it", async () => {
    const rows = Array.from({ length: 205 }, (_, n) => ["busy", "event_type", `type-${n}`, "because", "ada"]);
    await database().query(
      `INSERT INTO ${database().own.database}.pause (outbox, scope, subject, reason, \`by\`) VALUES ?`,
      [rows],
    );
    const listed = await withReadTransaction(openPool(database()), 5000, (session) => listPauseRows(session, "busy"));
    expect([listed.pauses.length, listed.total]).toEqual([200, 205]);
  });
});
