import { randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createMysqlDatabase, flavorsFor, type MysqlTestDatabase } from "#tests/mysql.ts";
import { startMysqlStatementCutter } from "#tests/mysql-statement-cutter.ts";
import { startTcpProxy } from "#tests/tcp-proxy.ts";
import { CommitInDoubtError } from "../../shared/connection/commit-in-doubt-error.ts";
import { isConnectionError, toDatabaseError } from "./database-error.ts";
import { createPool } from "./pool.ts";
import type { Session } from "./session.ts";
import { openRelayPool, RelaySessions } from "./sessions.ts";
import { failureOf } from "./test-pool.fixture.ts";
import { withReadTransaction, withSession } from "./transaction.ts";

const INSERT = "INSERT INTO note (word) VALUES (?)";
const COUNT = "SELECT count(*), NULL FROM note";
const POOL = { applicationName: "outbox-console test", readOnly: false, max: 1, statementTimeoutMs: 5000 };

describe.each(flavorsFor("mysql"))("a relay's sessions on %s", (flavor) => {
  let database: MysqlTestDatabase;
  let sessions: RelaySessions;

  const insert = (word: string) => ({ text: INSERT, values: [word] });
  const words = async () => (await database.query("SELECT word FROM note ORDER BY word")).map(({ word }) => word);
  const rowsOf = (results: { rows: unknown }[]) => results.map(({ rows }) => rows);

  beforeEach(async () => {
    database = await createMysqlDatabase(flavor, "empty");
    await database.query("CREATE TABLE note (word varchar(50) UNIQUE) ENGINE = InnoDB");
    sessions = RelaySessions.over({ url: database.url, own: database.own, each: 1 });
  });
  afterEach(async () => {
    await sessions.close();
    await database.drop();
  });

  test("a transaction in one round trip: each statement sees what those before it did", async () => {
    expect(rowsOf(await sessions.once([insert("it's"), COUNT]))).toEqual([[], [["1", null]]]);
    expect(rowsOf(await sessions.once([sql`INSERT INTO note VALUES (${"plain"})`, COUNT]))).toEqual([
      [],
      [["2", null]],
    ]);
    expect(await words()).toEqual(["it's", "plain"]);
  });

  test("when one fails nothing of it is kept, and the connection goes on", async () => {
    const failing = sessions.once([insert("twice"), insert("twice"), COUNT]);
    await expect(failing).rejects.toMatchObject({ errno: 1062 });
    expect(await words()).toEqual([]);
    expect(rowsOf(await sessions.once([insert("twice"), COUNT]))).toEqual([[], [["1", null]]]);
  });

  test("an opening and a closing are in the transaction of the work", async () => {
    const transaction = (fails: boolean) =>
      sessions.transaction(
        async (session, opened, close) => {
          await session.run(INSERT, ["more"]);
          if (fails) throw new Error("the work failed");
          const closed = await close([insert("last")]);
          expect(await close()).toBe(closed);
          return rowsOf([...opened, ...closed]);
        },
        { opening: [insert("first"), COUNT], closing: ["SELECT 'closed'", COUNT] },
      );
    await expect(transaction(true)).rejects.toThrow("the work failed");
    expect(await words()).toEqual([]);
    expect(await transaction(false)).toEqual([[], [["1", null]], [["closed"]], [["3", null]]]);
    expect(await words()).toEqual(["first", "last", "more"]);
  });

  test("a transaction whose work does not close is committed", async () => {
    await sessions.transaction((session) => session.run(INSERT, ["plain"]));
    await sessions.single((session) => session.run(INSERT, ["single"]));
    expect(await words()).toEqual(["plain", "single"]);
  });

  test.each([
    ["before", 0],
    ["after", 1],
  ] as const)("a commit that is cut %s it arrives is in doubt, and what was cut earlier is not", async (when, kept) => {
    const url = new URL(database.url);
    const cutter = await startMysqlStatementCutter({ host: url.hostname, port: Number(url.port) });
    onTestFinished(() => cutter.close());
    url.port = String(cutter.port);
    const cut = RelaySessions.over({ url: url.toString(), own: database.own, each: 1 });
    onTestFinished(() => cut.close());
    const inSteps = () => cut.transaction((session) => session.run(INSERT, ["steps"]), { closing: [COUNT] });
    await cut.once([COUNT]);
    cutter.cutAt(1, when);
    await expect(cut.once([insert("once"), COUNT])).rejects.toThrow(CommitInDoubtError);
    expect(await words()).toEqual(["once"].slice(0, kept));
    for (const early of [1, 2]) {
      await cut.once([COUNT]);
      cutter.cutAt(early, when);
      const lost: unknown = await inSteps().catch((error: unknown) => error);
      expect(lost).not.toBeInstanceOf(CommitInDoubtError);
      expect(isConnectionError(lost)).toBe(true);
    }
    await cut.once([COUNT]);
    cutter.cutAt(3, when);
    await expect(inSteps()).rejects.toThrow(CommitInDoubtError);
    expect(await words()).toEqual(["once", "steps"].slice(0, 2 * kept));
  });

  test("a frozen relay's transaction ends after three seconds, and its locks with it", async () => {
    await sessions.once([insert("locked")]);
    const frozen = sessions
      .transaction(
        async (session) => {
          await new Promise((resolve) => setTimeout(resolve, 4500));
          return session.rows("SELECT 1");
        },
        { opening: ["SELECT * FROM note FOR UPDATE"] },
      )
      .catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 3800));
    await database.query("SET innodb_lock_wait_timeout = 1");
    await database.query("DELETE FROM note");
    expect(isConnectionError(await frozen)).toBe(true);
  });

  test("a relay that takes none of its answer loses its locks too", async () => {
    await database.query("CREATE TABLE big (id int PRIMARY KEY, payload longtext) ENGINE = InnoDB");
    for (let id = 0; id < 30; id += 1) await database.query("INSERT INTO big VALUES (?, REPEAT('x', 1000000))", [id]);
    const { hostname, port } = new URL(database.url);
    const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    onTestFinished(() => proxy.close());
    const url = Object.assign(new URL(database.url), { port: String(proxy.port) }).toString();
    const stalled = RelaySessions.over({ url, own: database.own, each: 1 });
    onTestFinished(() => stalled.close());
    await stalled.once([COUNT]);
    proxy.swallowAnswers();
    const reading = stalled.once(["SELECT * FROM big FOR UPDATE"]).catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await database.query("SET innodb_lock_wait_timeout = 20");
    const before = performance.now();
    await database.query("DELETE FROM big");
    const waitedMs = performance.now() - before;
    expect(waitedMs).toBeGreaterThan(100);
    expect(waitedMs).toBeLessThan(10_000);
    proxy.cut();
    expect(isConnectionError(await reading)).toBe(true);
  });

  test("between transactions a connection stays open, also after one that failed", async () => {
    const idOf = () => sessions.single(async (session) => session.id);
    const id = await idOf();
    await sessions.once(["SELECT nothing"]).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 3500));
    expect(await idOf()).toBe(id);
  });

  test("after a write that was refused as on a replica, the address is asked anew, as it may lead to another server", async () => {
    const idOf = () => sessions.single(async (session) => session.id);
    const refuse = (errno: number) =>
      database.query(
        `CREATE TRIGGER refused BEFORE INSERT ON note FOR EACH ROW SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = ${errno}`,
      );
    for (const [errno, kept] of [
      [1644, true],
      [1290, false],
      [1836, false],
    ] as const) {
      await refuse(errno);
      for (const write of [
        () => sessions.once([insert("word")]),
        () => sessions.transaction((session) => session.run(INSERT, ["word"])),
      ]) {
        const id = await idOf();
        await expect(write()).rejects.toMatchObject({ errno });
        expect((await idOf()) === id, `after ${errno}`).toBe(kept);
      }
      await database.query("DROP TRIGGER refused");
    }
  });

  test.each(["once", "transaction", "read", "session"] as const)(
    "a permission on the database that is granted later is seen at once: %s",
    async (way) => {
      const account = `u_${randomBytes(4).toString("hex")}`;
      // Without any permission it could not connect to the database.
      await database.query(`CREATE TABLE other (id int PRIMARY KEY);
        CREATE USER ${account} IDENTIFIED BY 'secret'; GRANT SELECT ON ${database.name}.other TO ${account}`);
      const url = Object.assign(new URL(database.url), { username: account, password: "secret" }).toString();
      const relay = RelaySessions.over({ url, own: database.own, each: 1 });
      const pool = createPool({ ...POOL, url, own: database.own });
      const count = (session: Session) => session.rows(COUNT);
      const ask = {
        once: () => relay.once([COUNT]),
        transaction: () => relay.transaction(count),
        read: () => withReadTransaction(pool, 3000, count),
        session: () => withSession(pool, count),
      }[way];
      try {
        const { message } = toDatabaseError(await failureOf(ask()), "outbox orders");
        expect(message).toMatch(/\(SELECT on table (\w+\.)?note\)/);
        await database.query(`GRANT SELECT ON ${database.name}.* TO ${account}`);
        expect(await ask()).toBeTruthy();
      } finally {
        await Promise.all([relay.close(), pool.end()]);
        await database.query(`DROP USER ${account}`);
      }
    },
  );

  test("relays of one store share their connections, and one that leaves closes none of the others'", async () => {
    const connections = async () => {
      const [row] = await database.query(
        "SELECT count(*) AS n FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()",
      );
      return Number(row?.n);
    };
    const pool = openRelayPool({ url: database.url, own: database.own, all: 5, each: 4 });
    const relays = Array.from({ length: 12 }, () => RelaySessions.of(pool));
    const nap = (one: RelaySessions) => one.once(["SELECT SLEEP(0.05)"]);
    await Promise.all(relays.flatMap((one) => [nap(one), nap(one)]));
    expect(await connections()).toBe(4);
    const [first, ...others] = relays as [RelaySessions, ...RelaySessions[]];
    await first.close();
    await expect(nap(first)).rejects.toThrow("closed");
    await Promise.all(others.map((one) => nap(one.urgent)));
    expect(await connections()).toBe(5);
    await Promise.all(others.map((one) => one.close()));
    await expect.poll(connections).toBe(0);
  });

  test("warming up opens every connection", async () => {
    const many = RelaySessions.over({ url: database.url, own: database.own, each: 3 });
    await many.warmUp();
    const rows = await database.query(
      "SELECT count(*) AS n FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()",
    );
    expect(rows[0]?.n).toBe("3");
    await many.close();
  });
});
