import { describe, expect, test } from "vitest";
import { troubleOf } from "#db/stores/port/store-error.ts";
import { flavorsFor } from "#tests/mysql.ts";
import { waitFor } from "#tests/wait-for.ts";
import { PUBLISHED, relayBox } from "../relay-box.fixture.ts";

const LEVELS = ["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"];

describe.each(flavorsFor("mysql"))("producers of a table in %s", (flavor) => {
  const box = relayBox(flavor);

  /** Producers at every isolation level write between the rows that are there, and behind them. */
  const write = async (first: number) => {
    const connection = await box.database.connect();
    await connection.query("SET SESSION innodb_lock_wait_timeout = 1, lock_wait_timeout = 1");
    for (const [turn, level] of LEVELS.entries()) {
      await connection.query(`SET SESSION TRANSACTION ISOLATION LEVEL ${level}`);
      await connection.query("INSERT INTO box (id, aggregate_id) VALUES (?, 'a')", [first + turn]);
      await connection.query("INSERT INTO box (aggregate_id) VALUES ('a')");
    }
    await connection.end();
  };
  const waits = (state: string) =>
    waitFor(async () => (await box.number(`SELECT COUNT(*) FROM information_schema.processlist WHERE ${state}`)) > 0, {
      message: `someone waits: ${state}`,
    });

  /** Retries after a lock timeout, as a relay does. */
  const untilUnlocked = async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (troubleOf(error) !== "locked") throw error;
      }
    }
  };

  test("never wait for a claim, which reads to the end of the table and locks none of its rows", async () => {
    await box.database.query("INSERT INTO box (id, aggregate_id) VALUES (10, 'a'), (20, 'a'), (30, 'a')");
    const { database } = box.database.own;
    const holder = await box.database.connect();
    // The claim has read when it comes to write its own row, and waits here.
    await holder.query(`LOCK TABLES ${database}.claim WRITE`);
    const claiming = untilUnlocked(() => box.claimed());
    await waits(`state LIKE '%metadata lock%' AND info LIKE '%INSERT INTO%${database}%'`);
    await write(11);
    await box.database.query("UPDATE box SET payload = 'y' WHERE id = 10");
    await holder.query("UNLOCK TABLES");
    expect((await claiming).messages.map(({ id }) => id)).toEqual(expect.arrayContaining(["10", "20", "30"]));
    await holder.end();
  });

  test.each([
    ["a first settle, which locks before it marks,", "info LIKE 'SELECT%FOR UPDATE'"],
    ["a settle", "info LIKE 'UPDATE%published_at%'"],
  ])("never wait for %s which locks the rows of its messages and nothing between them", async (name, statement) => {
    if (name === "a settle") {
      await box.database.query("INSERT INTO box (id, aggregate_id) VALUES (1, 'a')");
      await box.settle(await box.claimed(), PUBLISHED);
    }
    await box.database.query("INSERT INTO box (id, aggregate_id) VALUES (10, 'a'), (20, 'a'), (30, 'a')");
    const claimed = await box.claimed();
    const holder = await box.database.connect();
    await holder.query("START TRANSACTION");
    await holder.query("SELECT id FROM box WHERE id = 30 FOR UPDATE");
    const settling = untilUnlocked(() => box.settle(claimed, PUBLISHED));
    await waits(statement);
    await write(11);
    await holder.query("ROLLBACK");
    expect((await settling).published).toEqual(["10", "20", "30"]);
    await holder.end();
  });
});
