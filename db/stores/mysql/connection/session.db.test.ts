import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { testMysqlDatabase } from "#tests/mysql.ts";
import { openPool } from "./test-pool.fixture.ts";
import { withSession } from "./transaction.ts";

const MEGABYTE = 1 << 20;

describe.each(["mysql", "mariadb"] as const)("a session of %s", (flavor) => {
  const database = testMysqlDatabase(flavor);

  test.each([
    ["bigint unsigned", "18446744073709551615"],
    ["bigint", "-9223372036854775808"],
    ["decimal(65,30)", "12345678901234567890123456789012345.123456789012345678901234567890"],
    ["double", "0.1"],
    ["datetime(6)", "2024-02-29 23:59:59.999999"],
    ["timestamp(6)", "2024-02-29 23:59:59.000001"],
    ["date", "0000-00-00"],
    ["time(3)", "-838:59:59.000"],
    ["year", "1901"],
    ["varchar(20) CHARACTER SET latin1", "Zoë ß ÿ"],
    ["varchar(20) CHARACTER SET utf8mb4", "zoë 💥 \\ ' \" \n\t\0"],
    ["enum('a,b', 'it''s')", "it's"],
    ["char(36)", "8b7f0e1e-0000-4000-8000-00000000000a"],
    ["varbinary(20)", "zoë 💥"],
  ])("gives a %s as the server prints it", async (type, value) => {
    const pool = openPool(database());
    await withSession(pool, async (session) => {
      await session.run(`CREATE OR REPLACE TABLE odd (value ${type})`.replace("CREATE OR REPLACE", "CREATE TEMPORARY"));
      await session.run("INSERT INTO odd VALUES (?)", [value]);
      expect(await session.rows(sql`SELECT value, NULL FROM odd WHERE value = ${value}`)).toEqual([[value, null]]);
    });
  });

  test("gives json as the server prints it, and bytes by their hex", async () => {
    const pool = openPool(database());
    const uuid = Buffer.from("8b7f0e1e00004000800000000000000a", "hex");
    await withSession(pool, async (session) => {
      await session.run("CREATE TEMPORARY TABLE odd2 (doc json, id binary(16))");
      await session.run("INSERT INTO odd2 VALUES (?, ?)", ['{"b":1,"a":"zoë 💥","n":9007199254740993}', uuid]);
      const [row] = await session.rows(sql`SELECT doc, HEX(id) FROM odd2 WHERE id = ${uuid}`);
      expect(JSON.stringify(JSON.parse(row?.[0] ?? "").a)).toBe('"zoë 💥"');
      expect(row?.[0]).toContain("9007199254740993");
      expect(row?.[1]?.toLowerCase()).toBe(uuid.toString("hex"));
    });
  });

  test("takes and gives a payload of 5 MB", async () => {
    const pool = openPool(database());
    const payload = `{"text":"${"zoë'\\\\💥".repeat((5 * MEGABYTE) / 12)}"}`;
    expect(Buffer.byteLength(payload)).toBeGreaterThan(4 * MEGABYTE);
    await withSession(pool, async (session) => {
      await session.run("CREATE TEMPORARY TABLE big (payload longtext CHARACTER SET utf8mb4)");
      await session.run("INSERT INTO big VALUES (?)", [payload]);
      expect((await session.rows("SELECT payload FROM big"))[0]?.[0] === payload).toBe(true);
    });
  });

  test("has settings of its own, whatever the server's are", async () => {
    const pool = openPool(database(), { readOnly: true });
    await withSession(pool, async (session) => {
      expect(session.server).toMatchObject({ flavor, skipLocked: true });
      const settings = "@@autocommit, @@time_zone, @@innodb_lock_wait_timeout, @@collation_connection, @@sql_mode";
      expect(await session.rows(`SELECT ${settings}`)).toEqual([
        ["1", "+00:00", "1", "utf8mb4_bin", "NO_AUTO_VALUE_ON_ZERO,STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION"],
      ]);
      expect(await session.rows("SELECT CONNECTION_ID()")).toEqual([[String(session.id)]]);
    });
  });

  test("counts the rows that were found, not those that changed", async () => {
    const pool = openPool(database());
    await withSession(pool, async (session) => {
      await session.run("CREATE TEMPORARY TABLE counted (id bigint AUTO_INCREMENT PRIMARY KEY, n int)");
      expect(await session.run("INSERT INTO counted (n) VALUES (1), (1)")).toMatchObject({
        affectedRows: 2,
        insertId: "1",
      });
      expect(await session.run("UPDATE counted SET n = ? WHERE id = 1", [1])).toMatchObject({ affectedRows: 1 });
      expect(await session.run("DELETE FROM counted WHERE id = 3")).toMatchObject({ affectedRows: 0 });
    });
  });

  test("runs a script in one round trip, up to the statement that fails", async () => {
    const pool = openPool(database());
    await withSession(pool, async (session) => {
      const results = await session.script([
        "CREATE TEMPORARY TABLE noted (word varchar(20))",
        { text: "INSERT INTO noted VALUES (?)", values: ["a;'b"] },
        sql`SELECT word, ${2} FROM noted`,
      ]);
      expect(results.map(({ rows, affectedRows }) => [rows, affectedRows])).toEqual([
        [[], 0],
        [[], 1],
        [[["a;'b", "2"]], 0],
      ]);
      const failing = session.script(["INSERT INTO noted VALUES ('b')", "SELECT nothing", "DELETE FROM noted"]);
      await expect(failing).rejects.toMatchObject({ errno: 1054 });
      expect(await session.rows("SELECT count(*) FROM noted")).toEqual([["2"]]);
      expect(await session.script([])).toEqual([]);
    });
  });

  test("decodes our own columns and encodes them", async () => {
    const pool = openPool(database());
    const outbox = "o'`?\\ ";
    const token = "t1";
    await withSession(pool, async ({ db, own }) => {
      await db.insert(own.claim).values({
        token,
        outbox,
        owner: "zoë 💥",
        epoch: Number.MAX_SAFE_INTEGER,
        messageIds: ["a", 'b"c', "é"],
        alone: true,
        startedAt: "2024-01-01T01:00:00.5+01:00",
      });
      const [row] = await db.select().from(own.claim).where(eq(own.claim.outbox, outbox));
      expect(row).toEqual({
        token,
        outbox,
        owner: "zoë 💥",
        epoch: Number.MAX_SAFE_INTEGER,
        messageIds: ["a", 'b"c', "é"],
        alone: true,
        startedAt: "2024-01-01T00:00:00.500000Z",
      });
      for (const other of [outbox.trim(), outbox.toUpperCase()])
        expect(await db.select().from(own.claim).where(eq(own.claim.outbox, other))).toEqual([]);
    });
  });
});
