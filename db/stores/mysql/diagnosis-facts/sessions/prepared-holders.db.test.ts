import { describe, expect, onTestFinished, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { findLockHolder } from "../../act/find-lock-holder.ts";
import { createStorePools } from "../../connection/store-pools.ts";
import { withReadTransaction } from "../../connection/transaction.ts";
import { fresh, lockedEvents } from "./locked-events.fixture.ts";
import { readLockHolders } from "./read-lock-holders.ts";
import { readOldTransactions } from "./read-old-transactions.ts";

const PLAIN = ["5", "6"];

/** Names are the whole server's, so no other file prepares transactions on MySQL whose sessions end. */
describe("prepared transactions on mysql", () => {
  const { database, pools, refOf, makeTable, connect, holders, old } = lockedEvents("mysql");
  const ref = () => refOf("bigint");

  /** A transaction that is prepared, and whose client has gone. */
  const prepare = async (name: string, statement: string) => {
    const holder = await connect();
    await holder.query(`XA START ${name}`);
    await holder.query(statement);
    await holder.query(`XA END ${name}`);
    await holder.query(`XA PREPARE ${name}`);
    await holder.end();
    onTestFinished(() =>
      database()
        .query(`XA ROLLBACK ${name}`)
        .then(
          () => undefined,
          () => undefined,
        ),
    );
  };

  test("a prepared transaction that has locked rows is named with them and with who waits, and so for an action", async () => {
    await makeTable("bigint", ["5", "6", "7"]);
    await prepare("'bank','42',1", "UPDATE events SET payload = 'y' WHERE id IN (5, 6)");
    const waiter = await connect();
    const waiting = waiter.query("UPDATE events SET sent = 1 WHERE id = 5").catch(() => undefined);
    const found = await waitFor(
      async () => {
        const one = (await holders(ref())).find(({ pid }) => pid === null);
        return one && one.blockedPids.length > 0 && one;
      },
      { message: "someone waits for it" },
    );
    expect(found).toMatchObject({
      ...{ pid: null, preparedId: "'bank','42',1", endStatement: "XA ROLLBACK 'bank','42',1", state: "prepared" },
      ...{ rows: 2, wholeTable: false, blockedPids: [waiter.threadId] },
    });
    await expect
      .poll(() => findLockHolder(pools(), ref(), "6"))
      .toMatch(/^the prepared transaction 'bank','42',1, which began .+ ago$/);
    await database().query(found.endStatement);
    await waiting;
    expect(await holders(ref())).toEqual([]);
  });

  test("one whose session is still there is that session's, and is rolled back after it", async () => {
    await makeTable("bigint", PLAIN);
    const holder = await connect();
    for (const step of [
      "XA START 'bank','44',1",
      "DELETE FROM events",
      "XA END 'bank','44',1",
      "XA PREPARE 'bank','44',1",
    ])
      await holder.query(step);
    const [found] = await holders(ref());
    const { threadId } = holder;
    expect(found).toMatchObject({
      pid: threadId,
      rows: 2,
      endStatement: `KILL ${threadId}; XA ROLLBACK 'bank','44',1`,
    });
    const [kill = "", rollback = ""] = found?.endStatement.split("; ") ?? [];
    await database().query(kill);
    // The server needs a moment to take it from its session.
    await waitFor(
      () =>
        database()
          .query(rollback)
          .then(
            () => true,
            () => false,
          ),
      { message: "it is rolled back" },
    );
    expect(await holders(ref())).toEqual([]);
  });

  test("a prepared transaction behind which a migration queues for the whole table is named, and the migration", async () => {
    await makeTable("bigint", PLAIN);
    await prepare("'bank','43',1", "UPDATE events SET payload = 'y' WHERE id = 5");
    const migration = await connect();
    const altering = migration
      .query("SET lock_wait_timeout = 60; ALTER TABLE events ADD COLUMN c int")
      .catch(() => undefined);
    const found = await waitFor(async () => (await holders(ref())).find(({ wholeTable }) => wholeTable), {
      message: "it queues",
    });
    expect(found).toMatchObject({
      ...{ pid: null, preparedId: "'bank','43',1", keepsOutReaders: true, blockedPids: [migration.threadId] },
      queuedSessions: [expect.stringMatching(new RegExp(`\\(pid ${migration.threadId}\\)$`))],
    });
    await database().query(found.endStatement);
    await altering;
    expect(await holders(ref())).toEqual([]);
  });

  test("one that may not be named, or is one of several, has its number and the statement that lists names", async () => {
    await makeTable("bigint", ["5", "6", "7"]);
    await prepare("'bank','1',1", "UPDATE events SET payload = 'y' WHERE id = 5");
    const user = `reader_${database().name.slice(-8)}`;
    await database().query(`CREATE USER ${user}; GRANT SELECT ON *.* TO ${user}; GRANT PROCESS ON *.* TO ${user}`);
    onTestFinished(() =>
      database()
        .query(`DROP USER ${user}`)
        .then(() => undefined),
    );
    const url = Object.assign(new URL(database().url), { username: user, password: "" }).toString();
    const reading = createStorePools({ url, own: database().own, applicationName: "outbox-console test" });
    onTestFinished(() => reading.close());
    const unnamed = {
      ...{ pid: null, preparedId: expect.stringMatching(/^number \d+$/), rows: 1 },
      ...{ endStatement: "XA ROLLBACK …", namesStatement: "XA RECOVER CONVERT XID" },
    };
    const told = await fresh(() =>
      withReadTransaction(reading.reads(), 2000, (session) => readLockHolders(session, ref(), 0)),
    );
    expect(told).toMatchObject([unnamed]);
    const listed = await fresh(() =>
      withReadTransaction(reading.reads(), 2000, (session) => readOldTransactions(session, ref(), 0)),
    );
    expect(listed).toMatchObject([{ pid: null, preparedId: told[0]?.preparedId }]);
    await prepare("'bank','2',1", "UPDATE events SET payload = 'y' WHERE id = 6");
    expect(await holders(ref())).toMatchObject([unnamed, unnamed]);
  });

  test("a prepared transaction whose session has gone is named, and how it is ended", async () => {
    await makeTable("bigint", PLAIN);
    await prepare("'lost', 'branch', 7", "UPDATE events SET payload = 'y' WHERE id = 5");
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
