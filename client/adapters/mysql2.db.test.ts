import { type Connection, createPool, type Pool, type PoolConnection } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testMysqlDatabase } from "../../tests/mysql.ts";
import { waitFor } from "../../tests/wait-for.ts";
import { createInbox } from "../inbox/create-inbox.ts";
import { createOutbox } from "../outbox/create-outbox.ts";
import { adapterSuite } from "../testing/adapter-suite.fixture.ts";
import { contractEvents, contractPayload } from "../testing/contract-events.ts";
import { deadlockSuite } from "../testing/deadlock-suite.fixture.ts";
import { contractMessage } from "../testing/inbox-contract.ts";
import { mysql2 } from "./mysql2.ts";

const via = mysql2();
const MARKS = { consumer: "consumer", messageId: "event_id", processedAt: "processed_at" };

describe.each(["mysql", "mariadb"] as const)("over %s", (flavor) => {
  const database = testMysqlDatabase(flavor, "empty");
  const outbox = createOutbox(contractEvents, { via });
  const inbox = createInbox(contractEvents, { via, consumer: "contract" });
  let pool: Pool | undefined;

  beforeAll(async () => {
    await database().query(outbox.schema());
    await database().query(inbox.schema());
    await database().query(
      "CREATE TABLE marks (consumer varchar(64), event_id varchar(64), processed_at datetime(6), PRIMARY KEY (consumer, event_id))",
    );
    pool = createPool({ uri: database().url.replace(/^\w+:/, "mysql:"), connectionLimit: 10, timezone: "+05:00" });
  });
  afterAll(() => pool?.end());

  const db = (): Pool => pool ?? failed();
  const failed = (): never => {
    throw new Error("the pool is there only inside tests");
  };

  adapterSuite({
    via,
    db,
    outside: async (use) => {
      await use(db() as unknown as Connection);
      const connection = await db().getConnection();
      try {
        await use(connection);
        await connection.beginTransaction();
        await connection.commit();
        await use(connection);
      } finally {
        connection.release();
      }
    },
  });

  test("an event is stored exactly over a connection in another character set", async () => {
    const uri = database().url.replace(/^\w+:/, "mysql:");
    const other = createPool({ uri, connectionLimit: 1, charset: "LATIN1_SWEDISH_CI" });
    const payload = contractPayload("漢", "é 漢 🎈");
    try {
      const { id } = await via.transaction(other, (tx) => outbox.add(tx, "contract.checked", payload));
      const rows = await database().query("SELECT payload, aggregate_id FROM outbox WHERE id = ?", [id]);
      expect(rows.map((row) => [JSON.parse(row.payload ?? ""), row.aggregate_id])).toEqual([[payload, "漢"]]);
    } finally {
      await other.end();
    }
  });

  test.each([
    ["key", { columns: {}, payload: contractPayload("k".repeat(300)) }],
    ["payload", { columns: {}, payload: contractPayload("k", "é".repeat(40_000)) }],
    ["status", { columns: { status: "status" }, payload: contractPayload("k") }],
  ])("a session without strict mode does not cut the %s", async (_, { columns, payload }) => {
    await database().query(`CREATE TABLE IF NOT EXISTS short (id char(36) PRIMARY KEY, event_type varchar(64), aggregate_id varchar(255),
      body text, status enum('PENDING', 'SENT'), other datetime DEFAULT NULL)`);
    const short = createOutbox(contractEvents, {
      via,
      table: "short",
      columns: {
        ...{ id: "id", eventType: "event_type", aggregateId: "aggregate_id", payload: { name: "body", type: "text" } },
        ...columns,
      },
      lifecycle: { kind: "status", pending: ["NEW"] },
    });
    const loose = createPool({ uri: database().url.replace(/^\w+:/, "mysql:"), connectionLimit: 1 });
    try {
      await loose.query("SET SESSION sql_mode = ''");
      const added = via.transaction(loose, (tx) => short.add(tx, "contract.checked", payload));
      await expect(added).rejects.toMatchObject({ code: "unusable_table" });
      const [[mode]] = (await loose.query("SELECT @@SESSION.sql_mode AS mode")) as unknown as [[{ mode: string }]];
      expect(mode.mode).toBe("");
      expect(await database().query("SELECT id FROM short")).toEqual([]);
    } finally {
      await loose.end();
    }
  });

  test("a list with given ids takes one statement for a thousand, and the repeats in it one each", async () => {
    let inserts = 0;
    const counting: typeof via = {
      ...via,
      run: (handle, statement) => {
        if (/INSERT/.test(statement.parts[0] ?? "")) inserts += 1;
        return via.run(handle, statement);
      },
    };
    const given = Array.from({ length: 1500 }, () => crypto.randomUUID());
    const add = (ids: readonly string[]) => {
      const list = ids.map((id) => ["contract.checked", contractPayload("given", id), { id }] as const);
      return via.transaction(db(), (tx) => createOutbox(contractEvents, { via: counting }).add(tx, list));
    };
    expect(await add(given)).toEqual(given.map((id) => ({ id, added: true })));
    expect(inserts).toBe(2);
    const [first = "", second = ""] = given;
    const [third, fourth] = [crypto.randomUUID(), crypto.randomUUID()];
    const added = await add([third, first, third, second, fourth]);
    expect(added.map((one) => one.added)).toEqual([true, false, false, false, true]);
    const rows = await database().query("SELECT payload FROM outbox WHERE aggregate_id = 'given' ORDER BY sequence");
    expect(rows.map(({ payload }) => JSON.parse(payload ?? "").note)).toEqual([...given, third, fourth]);
  });

  test("a list is written in its order where it takes several statements", async () => {
    const notes = Array.from({ length: 40 }, (_, index) => `${index} ${"漢".repeat(30_000)}`);
    const list = notes.map((note) => ["contract.checked", contractPayload("list", note)] as const);
    await via.transaction(db(), (tx) => outbox.add(tx, list));
    const rows = await database().query("SELECT payload FROM outbox WHERE aggregate_id = 'list' ORDER BY sequence");
    expect(
      rows.map(({ payload }) =>
        JSON.parse(payload ?? "")
          .note.slice(0, 2)
          .trim(),
      ),
    ).toEqual(notes.map((note) => note.slice(0, 2).trim()));
  });

  deadlockSuite({ via, db, database });

  /** A transaction whose view of the tables is older than the commits of `meanwhile`. */
  const inOlderView = async (meanwhile: () => Promise<unknown>, use: (tx: PoolConnection) => Promise<void>) => {
    const tx = await db().getConnection();
    try {
      await tx.beginTransaction();
      await tx.query("SELECT count(*) FROM outbox");
      await meanwhile();
      await use(tx);
      await tx.commit();
    } finally {
      tx.destroy();
    }
  };

  test("a message that was processed after the transaction's view is a duplicate", async () => {
    const message = contractMessage();
    const once = () => inbox.once(db(), message, async () => "done");
    await inOlderView(once, async (tx) => {
      expect(await inbox.onceIn(tx, message, async () => "again")).toEqual({ outcome: "duplicate", duplicate: true });
    });
  });

  test("what work writes after a deadlock that it swallowed is not committed", async () => {
    await database().query("CREATE TABLE shelf (id int PRIMARY KEY, left_over int)");
    await database().query("INSERT INTO shelf VALUES (1, 0), (2, 0)");
    const message = contractMessage();
    const other = await db().getConnection();
    try {
      await other.beginTransaction();
      // The server ends the transaction that has changed fewer rows.
      await other.query("INSERT INTO shelf VALUES (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (10, 0)");
      await other.query("UPDATE shelf SET left_over = 1 WHERE id = 2");
      let otherEnds: Promise<unknown> | undefined;
      const careless = inbox.once(db(), message, async (tx) => {
        await tx.query("UPDATE shelf SET left_over = 1 WHERE id = 1");
        otherEnds = other.query("UPDATE shelf SET left_over = 2 WHERE id = 1");
        await waitFor(
          async () =>
            (await database().query("SELECT 1 FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'"))
              .length > 0,
          // The server makes the list anew only after 100 ms without a read of it.
          { message: "the other transaction waits", intervalMs: 150 },
        );
        await expect(tx.query("UPDATE shelf SET left_over = 2 WHERE id = 2")).rejects.toThrow(/Deadlock/);
        await tx.query("INSERT INTO shelf VALUES (100, 0)");
      });
      await expect(careless).rejects.toThrow(/was rolled back while the work ran/);
      await otherEnds;
    } finally {
      other.destroy();
    }
    expect(await database().query("SELECT id FROM shelf WHERE id = 100")).toEqual([]);
    expect(await inbox.once(db(), message, async () => "done")).toMatchObject({ outcome: "processed" });
  });

  test.each([
    ["creates a table", "CREATE TABLE IF NOT EXISTS made_by_work (id int)"],
    ["begins a transaction of its own", "START TRANSACTION"],
  ])("a message is not lost whose work %s, which commits the mark, and then fails", async (_, statement) => {
    for (const counting of [
      inbox,
      createInbox(contractEvents, { via, consumer: "c", table: "marks", columns: MARKS }),
    ]) {
      const message = contractMessage();
      const failing = counting.once(db(), message, async (tx) => {
        await tx.query(statement);
        throw new Error("the work failed");
      });
      await expect(failing).rejects.toThrow("the work failed");
      expect(await counting.once(db(), message, async () => "done")).toMatchObject({ outcome: "processed" });
      expect(await counting.once(db(), message, async () => "again")).toMatchObject({ outcome: "duplicate" });
    }
  });

  test("a connection that was used commits again by itself", async () => {
    const single = createPool({ uri: database().url.replace(/^\w+:/, "mysql:"), connectionLimit: 1 });
    try {
      const used = [
        via.transaction(single, async () => 1),
        via.transaction(single, () => Promise.reject(new Error("no"))),
      ];
      await Promise.allSettled(used);
      const [rows] = await single.query("SELECT @@autocommit AS commits");
      expect(rows).toEqual([{ commits: 1 }]);
    } finally {
      await single.end();
    }
  });

  test("an event that was written after the transaction's view is there already", async () => {
    const id = crypto.randomUUID();
    const add = (tx: Connection) => outbox.add(tx, "contract.checked", contractPayload("a"), { id });
    await inOlderView(
      () => via.transaction(db(), add),
      async (tx) => expect(await add(tx)).toEqual({ id, added: false }),
    );
  });
});
