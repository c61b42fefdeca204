import { describe, expect, onTestFinished, test } from "vitest";
import { flavorsFor, testMysqlDatabase } from "#tests/mysql.ts";
import { startMysqlStatementCutter } from "#tests/mysql-statement-cutter.ts";
import { CommitInDoubtError } from "../../shared/connection/commit-in-doubt-error.ts";
import { errorNumber, isConnectionError, toDatabaseError } from "./database-error.ts";
import { withLimitedWrite } from "./limited-write.ts";
import { openPool } from "./test-pool.fixture.ts";
import { withReadTransaction, withSession, withWriteTransaction } from "./transaction.ts";

describe.each(flavorsFor("mariadb"))("a transaction of %s", (flavor) => {
  const database = testMysqlDatabase(flavor, "empty");

  const noteTable = async () => {
    await database().query("DROP TABLE IF EXISTS note");
    await database().query("CREATE TABLE note (id int PRIMARY KEY, word varchar(20)) ENGINE = InnoDB");
  };
  const words = async () => (await database().query("SELECT word FROM note ORDER BY id")).map(({ word }) => word);

  test("that reads sees one snapshot, from its beginning on, and refuses to write", async () => {
    await noteTable();
    await withReadTransaction(openPool(database()), 3000, async (session) => {
      await database().query("INSERT INTO note VALUES (1, 'late')");
      expect(await session.rows("SELECT * FROM note")).toEqual([]);
      const write = session.run("INSERT INTO note VALUES (2, 'no')");
      await expect(write).rejects.toMatchObject({ errno: 1792 });
      expect(await session.rows("SELECT 1")).toEqual([["1"]]);
    });
    expect(await words()).toEqual(["late"]);
  });

  test("that reads is run once more if a table was replaced since its snapshot", async () => {
    await noteTable();
    let runs = 0;
    const read = withReadTransaction(openPool(database()), 3000, async (session) => {
      runs += 1;
      if (runs === 1)
        await database().query(`CREATE TABLE next_note LIKE note; INSERT INTO next_note VALUES (1, 'moved');
          RENAME TABLE note TO last_note, next_note TO note; DROP TABLE last_note`);
      return session.rows("SELECT word FROM note");
    });
    expect(await read).toEqual([["moved"]]);
    expect(runs).toBe(2);
  });

  test("a session that only reads refuses to write, in a transaction or not", async () => {
    await noteTable();
    const pool = openPool(database(), { readOnly: true });
    const insert = "INSERT INTO note VALUES (1, 'no')";
    await expect(withSession(pool, (session) => session.run(insert))).rejects.toMatchObject({ errno: 1792 });
    const create = withSession(pool, (session) => session.run("CREATE TABLE ours (id int)"));
    await expect(create).rejects.toMatchObject({ errno: 1792 });
  });

  test("that writes sees what others commit meanwhile, and is rolled back when its work fails", async () => {
    await noteTable();
    const pool = openPool(database());
    const failing = withWriteTransaction(pool, async (session) => {
      await session.run("INSERT INTO note VALUES (1, 'ours')");
      await database().query("INSERT INTO note VALUES (2, 'theirs')");
      expect(await session.rows("SELECT count(*) FROM note")).toEqual([["2"]]);
      throw new Error("the work failed");
    });
    await expect(failing).rejects.toThrow("the work failed");
    expect(await words()).toEqual(["theirs"]);
  });

  test("waits a second for a lock, and says so", async () => {
    await noteTable();
    await database().query("INSERT INTO note VALUES (1, 'a')");
    const other = await database().connect();
    await other.query("BEGIN");
    await other.query("SELECT * FROM note FOR UPDATE");
    const waiting = withWriteTransaction(openPool(database()), (session) => session.run("DELETE FROM note"));
    const error: unknown = await waiting.catch((reason: unknown) => reason);
    expect(errorNumber(error)).toBe(1205);
    expect(toDatabaseError(error, "shop").code).toBe("locked");
    await other.end();
  });

  test("waits a second for a table that is being changed", async () => {
    await noteTable();
    const other = await database().connect();
    await other.query("LOCK TABLES note WRITE");
    const waiting = withReadTransaction(openPool(database()), 3000, (session) => session.rows("SELECT * FROM note"));
    const error: unknown = await waiting.catch((reason: unknown) => reason);
    expect(errorNumber(error)).toBe(1205);
    expect(toDatabaseError(error, "outbox orders").message).toContain("the whole table of outbox orders");
    await other.end();
  });

  test("ends a read that takes too long, and the connection goes on", async () => {
    const pool = openPool(database(), { max: 1 });
    const crossed = Array.from({ length: 6 }, (_, n) => `information_schema.columns c${n}`).join(", ");
    const slow = withReadTransaction(pool, 100, (session) => session.rows(`SELECT count(*) FROM ${crossed}`));
    const error: unknown = await slow.catch((reason: unknown) => reason);
    expect(toDatabaseError(error, "shop").code).toBe("query_timeout");
    expect(await withReadTransaction(pool, 3000, (session) => session.rows("SELECT 1"))).toEqual([["1"]]);
  });

  test("ends a write that takes longer than its limit, takes it back, and the connection goes on", async () => {
    await noteTable();
    const pool = openPool(database(), { max: 2 });
    const crossed = Array.from({ length: 6 }, (_, n) => `information_schema.columns c${n}`).join(", ");
    const slow = withLimitedWrite(pool, 100, async (session) => {
      await session.run("INSERT INTO note VALUES (1, 'first')");
      await session.run(`INSERT INTO note SELECT 2, count(*) FROM ${crossed}`);
    });
    const error: unknown = await slow.catch((reason: unknown) => reason);
    expect(toDatabaseError(error, "shop").code).toBe("query_timeout");
    expect(await words()).toEqual([]);
    await withLimitedWrite(pool, 5000, (session) => session.run("INSERT INTO note VALUES (1, 'quick')"));
    expect(await words()).toEqual(["quick"]);
  });

  test("gives up on a server that is silent, and the connection with it", async () => {
    const pool = openPool(database(), { max: 1, statementTimeoutMs: 1 });
    // Sleeping is limited on MariaDB alone.
    const sleep = flavor === "mysql" ? "DO SLEEP(5)" : "SET STATEMENT max_statement_time = 0 FOR DO SLEEP(5)";
    const silent: unknown = await withSession(pool, (session) => session.run(sleep)).catch((reason: unknown) => reason);
    expect(isConnectionError(silent)).toBe(true);
    expect(toDatabaseError(silent, "shop").message).toMatch(/does not answer \(no answer came in time\)/);
    expect(await withSession(pool, (session) => session.rows("SELECT 1"))).toEqual([["1"]]);
  });

  test.each(["before", "after"] as const)("a commit that is cut %s it arrives is in doubt", async (when) => {
    await noteTable();
    const url = new URL(database().url);
    const cutter = await startMysqlStatementCutter({ host: url.hostname, port: Number(url.port) });
    onTestFinished(() => cutter.close());
    url.port = String(cutter.port);
    const pool = openPool({ url: url.toString(), own: database().own }, { max: 1 });
    const insert = (id: number) =>
      withWriteTransaction(pool, (session) => session.run("INSERT INTO note VALUES (?, 'x')", [id]));
    await insert(1);
    const fault = cutter.cutAt(3, when);
    await expect(insert(2)).rejects.toThrow(CommitInDoubtError);
    expect(fault.struck()).toBe(true);
    fault.clear();
    expect(await words()).toEqual(when === "before" ? ["x"] : ["x", "x"]);
    const early = cutter.cutAt(2, when);
    const lost: unknown = await insert(3).catch((reason: unknown) => reason);
    early.clear();
    expect(lost).not.toBeInstanceOf(CommitInDoubtError);
    expect(isConnectionError(lost)).toBe(true);
    await insert(4);
  });

  test("that is idle for too long is ended by the server, and its locks with it", async () => {
    await noteTable();
    await database().query("INSERT INTO note VALUES (1, 'a')");
    const pool = openPool(database(), { max: 1, idleLimitMs: 1000 });
    const idle = withWriteTransaction(pool, async (session) => {
      await session.rows("SELECT * FROM note FOR UPDATE");
      await new Promise((resolve) => setTimeout(resolve, 2500));
      await database().query("DELETE FROM note");
      return session.run("DELETE FROM note");
    });
    expect(isConnectionError(await idle.catch((reason: unknown) => reason))).toBe(true);
    expect(await words()).toEqual([]);
  });
});
