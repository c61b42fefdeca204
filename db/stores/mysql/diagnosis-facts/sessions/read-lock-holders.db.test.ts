import { beforeEach, describe, expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { findLockHolder } from "../../act/find-lock-holder.ts";
import { inListTurn } from "../../connection/list-turn.ts";
import { withReadTransaction } from "../../connection/transaction.ts";
import { lockedEvents } from "./locked-events.fixture.ts";

const KEYS: [string, string[]][] = [
  ["char(36)", ["'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'", "'short'", "'it''s'"]],
  ["bigint", ["5", "-7", "9223372036854775807"]],
  ["binary(16)", ["x'00112233445566778899aabbccddeeff'", "x'ffeeddccbbaa99887766554433221100'", "x'00'"]],
];

describe.each(["mysql", "mariadb"] as const)("locks on %s", (flavor) => {
  const { database, pools, names, refOf, makeTable, connect, holders, old } = lockedEvents(flavor);

  describe.each(KEYS)("of a key of type %s", (type, values) => {
    beforeEach(() => makeTable(type, values));

    test("nobody holds anything", async () => {
      expect(await holders(refOf(type))).toEqual([]);
      expect(await old(refOf(type))).toEqual([]);
    });

    test("locked rows are counted if they wait; what is published does not", async () => {
      await database().query("UPDATE events SET sent = 1 ORDER BY id LIMIT 1");
      const holder = await connect();
      await holder.query("BEGIN; SELECT * FROM events WHERE payload = 'secret' OR TRUE FOR UPDATE");
      const found = holders(refOf(type));
      if (names())
        expect(await found).toMatchObject([
          {
            rows: flavor === "mysql" ? 2 : null,
            wholeTable: false,
            blockedPids: [],
            state: "idle in transaction",
            mode: "SHARED_WRITE",
            pid: holder.threadId,
            endStatement: `KILL ${holder.threadId}`,
            // Derived from a timer: with a fraction, it would be another instant in every reading.
            transactionAt: expect.stringMatching(/:\d\d\.000000Z$/),
          },
        ]);
      else await expect(found).rejects.toThrow(/performance_schema/);
      expect(await old(refOf(type))).toMatchObject([{ pid: holder.threadId, holdsBackNewRows: false }]);
      await holder.query("UPDATE events SET payload = 'x'");
      expect(await old(refOf(type))).toMatchObject([{ pid: holder.threadId, holdsBackNewRows: true }]);
      expect(await old(refOf(type), 3600)).toEqual([]);
      await holder.query("ROLLBACK");
      expect(await holders(refOf(type))).toEqual([]);
      expect(await old(refOf(type))).toEqual([]);
      await holder.end();
    });
  });

  const PLAIN = ["5", "6"];
  const ref = () => refOf("bigint");

  test("who waits for a holder is told, and the statement without its literals", async () => {
    await makeTable("bigint", PLAIN);
    const holder = await connect();
    await holder.query("BEGIN");
    await holder.query("SELECT 'secret', id FROM events WHERE id = 5 FOR UPDATE");
    const waiter = await connect();
    const waiting = waiter.query("UPDATE events SET sent = 1 WHERE id = 5");
    const found = await waitFor(
      async () => {
        const [one] = await holders(ref());
        return one && one.blockedPids.length > 0 && one;
      },
      { message: "someone waits for the holder" },
    );
    expect(found).toMatchObject({
      pid: holder.threadId,
      blockedPids: [waiter.threadId],
      rows: flavor === "mysql" ? 1 : null,
    });
    expect(found.query ?? "SELECT '…'").toContain("'…'");
    expect(found.query ?? "").not.toContain("secret");
    await holder.query("ROLLBACK");
    await waiting;
    await Promise.all([holder.end(), waiter.end()]);
  });

  test("the whole table is told where metadata locks are kept", async () => {
    await makeTable("bigint", PLAIN);
    const holder = await connect();
    for (const [lock, mode] of [
      ["WRITE", "SHARED_NO_READ_WRITE"],
      ["READ", "SHARED_READ_ONLY"],
    ]) {
      await holder.query(`LOCK TABLES events ${lock}`);
      if (names() && (flavor === "mysql" || lock === "WRITE"))
        expect(await holders(ref())).toMatchObject([
          { wholeTable: true, keepsOutReaders: lock === "WRITE", mode, rows: 0, pid: holder.threadId },
        ]);
      else if (lock === "WRITE") await expect(holders(ref())).rejects.toMatchObject({ errno: 1205 });
      await holder.query("UNLOCK TABLES");
    }
    expect(await holders(ref())).toEqual([]);
    await holder.end();
  });

  test("a lock of LOCK TABLES is as old as it is, whatever its session does under it", async () => {
    await makeTable("bigint", PLAIN);
    const [holder, producer] = [await connect(), await connect()];
    await holder.query("LOCK TABLES events READ");
    const inserting = producer
      .query("SET lock_wait_timeout = 60; INSERT INTO events (id) VALUES (7)")
      .catch(() => undefined);
    // More statements than the server remembers, each of them the last one.
    const found = waitFor(
      async () => {
        for (let n = 0; n < 12; n += 1) await holder.query("SELECT COUNT(*) FROM events");
        return (await holders(ref(), 2))[0];
      },
      { message: "it is seen to be held for 2 s", timeoutMs: names() && flavor === "mysql" ? 60_000 : 4_000 },
    );
    if (names() && flavor === "mysql")
      expect(await found).toMatchObject({ pid: holder.threadId, wholeTable: true, unlockStatement: "UNLOCK TABLES" });
    else await expect(found).rejects.toThrow();
    await holder.query("UNLOCK TABLES");
    await inserting;
  });

  test("a reader behind which migrations queue for the whole table is named, and they in their order", async () => {
    await makeTable("bigint", PLAIN);
    const [reader, bystander] = [await connect(), await connect()];
    const migrations = [await connect(), await connect()];
    await reader.query("BEGIN; SELECT COUNT(*) FROM events");
    await bystander.query("BEGIN; SELECT 1");
    const altering: Promise<unknown>[] = [];
    const pids = migrations.map(({ threadId }) => expect.stringMatching(new RegExp(`\\(pid ${threadId}\\)$`)));
    for (const [index, migration] of migrations.entries()) {
      const alter = migration.query(`SET lock_wait_timeout = 60; ALTER TABLE events ADD COLUMN c${index} int`);
      altering.push(alter.catch(() => undefined));
      if (names())
        await waitFor(async () => (await holders(ref()))[0]?.queuedSessions?.length === index + 1, {
          message: "it queues",
        });
    }
    if (names())
      expect(await holders(ref())).toMatchObject([
        {
          pid: reader.threadId,
          mode: "SHARED_READ",
          wholeTable: true,
          keepsOutReaders: true,
          rows: 0,
          queuedSessions: pids,
          blockedPids: migrations.map(({ threadId }) => threadId),
        },
      ]);
    await reader.query("ROLLBACK");
    await Promise.all(altering);
    expect(await holders(ref())).toEqual([]);
  });

  test("a session that has locked a row is named, whatever kind of lock it is", async () => {
    await makeTable("bigint", PLAIN);
    expect(await findLockHolder(pools(), ref(), "5")).toBeUndefined();
    expect(await findLockHolder(pools(), ref(), "nonumber")).toBeUndefined();
    const holder = await connect();
    for (const statement of [
      "SELECT * FROM events WHERE id = 5 FOR UPDATE",
      "UPDATE events SET payload = 'y' WHERE id = 5",
      "DELETE FROM events WHERE id = 5",
      "SELECT * FROM events WHERE id = 5 LOCK IN SHARE MODE",
    ]) {
      await holder.query("BEGIN");
      await holder.query(statement);
      // MariaDB gives only an old list of its transactions while other sessions, here other tests, ask all the time.
      await expect
        .poll(() => findLockHolder(pools(), ref(), "5"), { message: statement })
        .toMatch(new RegExp(`^connection ${holder.threadId}( \\(.+\\))?, in a transaction that began .+ ago$`));
      expect(await findLockHolder(pools(), ref(), "6")).toBeUndefined();
      await holder.query("ROLLBACK");
    }
    await holder.end();
  });

  test("a session that has locked a row is named, also while others read the list of transactions for seconds", async () => {
    await makeTable("bigint", PLAIN);
    const holder = await connect();
    await holder.query("BEGIN; UPDATE events SET payload = 'y' WHERE id = 5");
    const { promise: standing, resolve: goOn } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begins } = Promise.withResolvers<void>();
    const other = withReadTransaction(pools().reads(), 2000, (session) =>
      inListTurn(session, () => {
        begins();
        return standing;
      }),
    );
    await begun;
    await expect
      .poll(() => findLockHolder(pools(), ref(), "5"))
      .toMatch(new RegExp(`^connection ${holder.threadId}( \\(.+\\))?, in a transaction that began .+ ago$`))
      .finally(goOn);
    await other;
  });

  test("more locks than are read are not called none of waiting rows", async () => {
    const digits = Array.from({ length: 101 }, (_, n) => `SELECT ${n} AS n`).join(" UNION ALL ");
    await makeTable("bigint", ["1000000"]);
    await database().query(
      `INSERT INTO events (id, sent) SELECT a.n * 101 + b.n, 1 FROM (${digits}) a JOIN (${digits}) b WHERE a.n + b.n > 0`,
    );
    const holder = await connect();
    await holder.query("BEGIN; SELECT COUNT(*) FROM events FORCE INDEX (PRIMARY) FOR UPDATE");
    if (names()) expect(await holders(ref())).toMatchObject([{ pid: holder.threadId, rows: null }]);
    await holder.query("ROLLBACK");
  });

  // MySQL's are tested separately.
  if (flavor === "mariadb")
    test("a prepared transaction whose session has gone is named, and how it is ended", async () => {
      await makeTable("bigint", PLAIN);
      const holder = await connect();
      await holder.query("XA START 'lost', 'branch', 7");
      await holder.query("UPDATE events SET payload = 'y' WHERE id = 5");
      await holder.query("XA END 'lost', 'branch', 7");
      await holder.query("XA PREPARE 'lost', 'branch', 7");
      await holder.end();
      const found = await waitFor(
        async () => (await old(ref())).find(({ preparedId }) => preparedId === "'lost','branch',7"),
        {
          message: "the prepared transaction is seen",
        },
      );
      expect(found).toMatchObject({ pid: null, state: "prepared", holdsBackNewRows: true });
      await database().query(found.endStatement);
      await waitFor(async () => (await old(ref())).length === 0, { message: "it is gone" });
    });
});
