import { type Connection, createPool, type Pool } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testMysqlDatabase } from "../../tests/mysql.ts";
import { testDatabase } from "../../tests/postgres.ts";
import { mysql2 } from "../adapters/mysql2.ts";
import { pg } from "../adapters/pg.ts";
import type { ReceivedMessage } from "../messages/received-message.ts";
import type { Adapter } from "../sql/adapter.ts";
import { contractEvents } from "../testing/contract-events.ts";
import { contractMessage } from "../testing/inbox-contract.ts";
import { createInbox } from "./create-inbox.ts";
import type { MessageOrder } from "./read-order.ts";

const numbered = (aggregateId: string, sequence: number | null): ReceivedMessage => ({
  ...contractMessage(),
  aggregateType: null,
  aggregateId,
  sequence,
});

/** `inOlderView` gives a handle in an open transaction that has looked at the database before `meanwhile` runs. */
function suite<Tx, Db>(
  via: Adapter<Tx, Db>,
  db: () => Db,
  inOlderView: <T>(meanwhile: () => Promise<unknown>, work: (tx: Tx) => Promise<T>) => Promise<T>,
): void {
  const inbox = createInbox(contractEvents, { via, consumer: "billing", watchOrder: true });

  async function orderOf(message: ReceivedMessage): Promise<MessageOrder | undefined> {
    return (await inbox.once(db(), message, async (_, { order }) => order)).result;
  }
  const none = { known: true, missing: null, late: false };

  test("numbers that follow each other miss nothing", async () => {
    const orders = [];
    for (const sequence of [1, 2, 3]) orders.push(await orderOf(numbered("whole", sequence)));
    expect(orders).toEqual([1, 2, 3].map((sequence) => ({ ...none, sequence })));
  });

  test("a gap is told with its numbers, and what fills it is late", async () => {
    await orderOf(numbered("gap", 1));
    const after = await orderOf(numbered("gap", 5));
    const within = await orderOf(numbered("gap", 3));
    const next = await orderOf(numbered("gap", 6));
    expect(after).toEqual({ known: true, sequence: 5, missing: { from: 2, to: 4 }, late: false });
    expect(within).toEqual({ known: true, sequence: 3, missing: { from: 2, to: 2 }, late: true });
    expect(next).toEqual({ ...none, sequence: 6 });
  });

  test("a message made by hand without a number has no order, and is counted and processed as others are", async () => {
    const { sequence: _, ...byHand } = numbered("by-hand", null);
    const message = byHand as ReceivedMessage;
    await expect(inbox.once(db(), message, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await orderOf(message)).toEqual({ known: false, why: "no_sequence" });
  });

  test("a message that failed is missing until it is processed", async () => {
    await orderOf(numbered("failed", 1));
    const second = numbered("failed", 2);
    await expect(inbox.once(db(), second, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await orderOf(numbered("failed", 3))).toMatchObject({ missing: { from: 2, to: 2 } });
    expect(await orderOf(second)).toEqual({ known: true, sequence: 2, missing: null, late: true });
    expect(await orderOf(numbered("failed", 4))).toEqual({ ...none, sequence: 4 });
  });

  test("in a transaction that cannot see what was committed since it began, a gap is not known", async () => {
    await orderOf(numbered("view", 1));
    const ordered = await inOlderView(
      () => orderOf(numbered("view", 2)),
      async (tx) => (await inbox.onceIn(tx, numbered("view", 3), async (_, { order }) => order)).result,
    );
    expect(ordered).toEqual({ known: false, why: "older_view" });
    expect(await orderOf(numbered("view", 4))).toEqual({ ...none, sequence: 4 });
  });

  test("aggregates and consumers count apart", async () => {
    await orderOf(numbered("one", 1));
    const another = createInbox(contractEvents, { via, consumer: "another", watchOrder: true });
    await another.once(db(), numbered("other", 1), async () => undefined);
    expect(await orderOf(numbered("other", 1))).toEqual({ ...none, sequence: 1 });
    expect(await orderOf(numbered("one", 2))).toEqual({ ...none, sequence: 2 });
  });

  test("what cannot be known is said so, with the reason", async () => {
    expect(await orderOf(numbered("later", 7))).toEqual({ known: false, why: "nothing_earlier" });
    expect(await orderOf(numbered("later", null))).toEqual({ known: false, why: "no_sequence" });
    expect(await orderOf({ ...numbered("x", 2), aggregateId: null })).toEqual({ known: false, why: "no_aggregate" });
  });

  test("1,000 deliveries of one message at the same time have one effect, with skip as well", async () => {
    const message = contractMessage();
    const skipping = createInbox(contractEvents, { via, consumer: "billing", watchOrder: true, concurrent: "skip" });
    let effects = 0;
    const outcomes = await Promise.all(
      Array.from({ length: 1000 }, () =>
        skipping.once(db(), message, async () => {
          effects += 1;
        }),
      ),
    );
    expect(effects).toBe(1);
    expect(outcomes.filter(({ outcome }) => outcome === "processed")).toHaveLength(1);
    expect(new Set(outcomes.map(({ outcome }) => outcome)).difference(new Set(["in_progress"]))).toEqual(
      new Set(["processed", "duplicate"]),
    );
    expect(await skipping.once(db(), message, async () => undefined)).toMatchObject({ outcome: "duplicate" });
  });
}

describe("an inbox in Postgres that watches the order", () => {
  const database = testDatabase("empty");
  const via = pg();
  const { schema } = createInbox(contractEvents, { via, consumer: "billing", watchOrder: true });
  beforeAll(() => database().pool.query(schema()));
  suite(
    via,
    () => database().pool,
    async (meanwhile, work) => {
      const client = await database().pool.connect();
      await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1");
      await meanwhile();
      const result = await work(client);
      await client.query("COMMIT");
      client.release();
      return result;
    },
  );

  test("a gap is known in a transaction of the caller that sees what others commit", async () => {
    const inbox = createInbox(contractEvents, { via, consumer: "billing", watchOrder: true });
    const client = await database().pool.connect();
    await client.query("BEGIN");
    const orderOf = async (sequence: number) =>
      (await inbox.onceIn(client, numbered("mine", sequence), async (_, { order }) => order)).result;
    await orderOf(1);
    expect(await orderOf(4)).toMatchObject({ missing: { from: 2, to: 3 } });
    await client.query("COMMIT");
    client.release();
  });

  test("an inbox without the columns says that it does not watch", async () => {
    const plain = createInbox(contractEvents, { via, consumer: "plain" });
    const { result } = await plain.once(database().pool, numbered("plain", 2), async (_, { order }) => order);
    expect(result).toEqual({ known: false, why: "not_watched" });
  });
});

describe("an inbox in MySQL that watches the order", () => {
  const database = testMysqlDatabase("mysql", "empty");
  const via = mysql2();
  let pool: Pool | undefined;
  beforeAll(async () => {
    await database().query(createInbox(contractEvents, { via, consumer: "billing", watchOrder: true }).schema());
    pool = createPool({ uri: database().url, connectionLimit: 10 });
  });
  afterAll(() => pool?.end());
  suite(
    via,
    () => pool as Pool,
    async (meanwhile, work) => {
      const connection = await (pool as Pool).getConnection();
      await connection.query("START TRANSACTION WITH CONSISTENT SNAPSHOT");
      await meanwhile();
      const result = await work(connection);
      await connection.query("COMMIT");
      connection.release();
      return result;
    },
  );

  // With many inserts of the same row InnoDB sometimes reports a deadlock; a test cannot provoke one at a given moment.
  test("a deadlock while the row is made is tried again, and not for ever", async () => {
    const deadlocking = (deadlocks: number): Adapter<Connection, Pool> => ({
      ...via,
      run: async (handle, statement) => {
        const isInsert = statement.parts.some((part) => part.includes("ON DUPLICATE KEY"));
        if (isInsert && deadlocks-- > 0) throw Object.assign(new Error("Deadlock found"), { errno: 1213 });
        return via.run(handle, statement);
      },
    });
    const receiveAfter = (deadlocks: number) =>
      createInbox(contractEvents, { via: deadlocking(deadlocks), consumer: "billing", concurrent: "skip" }).once(
        pool as Pool,
        contractMessage(),
        async () => undefined,
      );
    expect(await receiveAfter(1)).toMatchObject({ outcome: "processed" });
    await expect(receiveAfter(1000)).rejects.toThrow("Deadlock found");
  });
});

test.each([
  ["skipped types", { unknownTypes: "skip", watchOrder: true }, /would look missing/],
  ["columns that lack the aggregate", { columns: { messageId: "id", sequence: "n" } }, /aggregateType and aggregateId/],
  ["columns without a number", { columns: { messageId: "id" }, watchOrder: true }, /needs columns for the roles/],
] as const)("with %s, watching is refused at once", (_, options, message) => {
  expect(() => createInbox(contractEvents, { via: pg(), consumer: "billing", ...options })).toThrow(message);
});

test.each([0, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("%s attempts are refused at once", (maxAttempts) => {
  expect(() => createInbox(contractEvents, { via: pg(), consumer: "billing", maxAttempts })).toThrow(/whole number/);
});

test("skip over MySQL needs rows that are not processed yet", () => {
  const columns = { messageId: "id" };
  const open = () => createInbox(contractEvents, { via: mysql2(), consumer: "billing", columns, concurrent: "skip" });
  expect(open).toThrow(/each row means processed/);
});
