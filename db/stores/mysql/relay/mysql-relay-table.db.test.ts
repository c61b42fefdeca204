import { describe, expect, test } from "vitest";
import { flavorsFor } from "#tests/mysql.ts";
import { PUBLISHED, relayBox } from "./relay-box.fixture.ts";

describe.each(flavorsFor("mariadb"))("the relay's side of a table in %s", (flavor) => {
  const box = relayBox(flavor);

  test("claims in order and marks", async () => {
    await box.insert(5);
    const claimed = await box.claimed();
    expect(claimed.messages.map(({ id }) => id)).toEqual(["1", "2", "3", "4", "5"]);
    expect((await box.settle(claimed, PUBLISHED)).published).toHaveLength(5);
    expect(await box.number("SELECT COUNT(*) FROM box WHERE published_at IS NOT NULL")).toBe(5);
    expect(await box.number(`SELECT COUNT(*) FROM ${box.database.own.database}.claim`)).toBe(0);
  });

  test("marks more rows than one statement takes all or none, and tells the one that somebody else has published", async () => {
    await box.insert(1);
    await box.settle(await box.claimed(), PUBLISHED);
    await box.insert(1500);
    const { claim } = await box.claim({ limit: 2000 });
    if (!claim) throw new Error("nothing was claimed");
    expect(claim.messages).toHaveLength(1500);
    const taken = claim.messages[1200]?.id;
    await box.database.query(`UPDATE box SET published_at = '2026-01-01' WHERE id = ${taken}`);
    const { published, foreign } = await box.settle(claim, PUBLISHED);
    expect(published).toHaveLength(1499);
    expect(foreign).toEqual([taken]);
    expect(await box.number("SELECT COUNT(*) FROM box WHERE published_at IS NULL")).toBe(0);
    expect(await box.number("SELECT COUNT(*) FROM box WHERE published_at = '2026-01-01'")).toBe(1);
  });

  test("a row that keeps its state without an error is refused from its first mark on", async () => {
    await box.insert(2);
    await box.database.query(
      "CREATE TRIGGER keep BEFORE UPDATE ON box FOR EACH ROW SET NEW.published_at = IF(NEW.id = 2, NULL, NEW.published_at)",
    );
    const mine = await box.claimed();
    for (let times = 0; times < 2; times += 1)
      await expect(box.settle(mine, PUBLISHED)).rejects.toThrow(/leaves the row as it is: a trigger keeps it/);
    expect(await box.number(`SELECT COUNT(*) FROM ${box.database.own.database}.claim`), "it stays claimed").toBe(1);
    await box.database.query("DROP TRIGGER keep");
    expect(await box.settle(mine, PUBLISHED)).toMatchObject({ published: ["1", "2"], foreign: [] });
  });

  test("a trigger that comes later is noticed by its first row, which is sent once more", async () => {
    await box.insert(1);
    await box.settle(await box.claimed(), PUBLISHED);
    await box.database.query("CREATE TRIGGER keep BEFORE UPDATE ON box FOR EACH ROW SET NEW.published_at = NULL");
    await box.insert(1);
    await box.settle(await box.claimed(), PUBLISHED);
    const again = await box.claimed();
    await expect(box.settle(again, PUBLISHED)).rejects.toThrow(/leaves the row as it is: a trigger keeps it/);
    await box.database.query("DROP TRIGGER keep");
  });
});

/** MariaDB records metadata locks only where it was started with performance_schema. */
describe("the relay's side of a table in mysql", () => {
  const box = relayBox("mysql");

  test("a lock of another program on our own tables is named, where it keeps the relay waiting", async () => {
    const { database } = box;
    const own = database.own.database;
    const [locker, holder] = [await database.connect(), await database.connect()];
    await box.insert(2);
    const mine = await box.claimed();
    await locker.query(`LOCK TABLES ${own}.claim READ`);
    const named = `lock wait timeout: root (pid ${locker.threadId}) has locked the table ${own}.claim (KILL ${locker.threadId} ends it)`;
    await expect(box.settle(mine, PUBLISHED)).rejects.toThrow(named);
    await locker.query("UNLOCK TABLES");
    await holder.query(`BEGIN; SELECT * FROM ${own}.lease FOR UPDATE`);
    await expect(box.table.renewLease(box.lease)).rejects.toThrow(
      `root (pid ${holder.threadId}) has locked rows of the table ${own}.lease`,
    );
    await holder.query("ROLLBACK");
    expect((await box.settle(mine, PUBLISHED)).published).toHaveLength(2);
  });
});
