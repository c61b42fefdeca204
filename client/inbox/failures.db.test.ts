import { type Connection, createPool, type Pool as MysqlPool, type PoolConnection } from "mysql2/promise";
import { type ClientBase, Pool } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testMysqlDatabase } from "../../tests/mysql.ts";
import { testDatabase } from "../../tests/postgres.ts";
import { mysql2 } from "../adapters/mysql2.ts";
import { pg } from "../adapters/pg.ts";
import { isClientError } from "../errors.ts";
import type { Adapter } from "../sql/adapter.ts";
import { contractEvents } from "../testing/contract-events.ts";
import { contractMessage } from "../testing/inbox-contract.ts";
import { createInbox, type InboxOptions } from "./create-inbox.ts";

interface Side<Tx, Db> {
  via: Adapter<Tx, Db>;
  db(): Db;
  /** Ends the transaction's connection, and waits until the client has noticed. */
  endConnection(tx: Tx): Promise<void>;
  query(statement: string): Promise<unknown>;
}

const columns = { messageId: "id", processedAt: "done", attempts: "tries", error: "problem", parkedAt: "parked" };

function suite<Tx, Db>(timeType: string, { via, db, endConnection, query }: Side<Tx, Db>): void {
  const open = (options: Partial<InboxOptions<Tx, Db>> = {}) =>
    createInbox(contractEvents, { via, consumer: "billing", maxAttempts: 1, ...options });
  const PROCESSED = { outcome: "processed" };
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  beforeEach(() => void process.on("uncaughtException", note));
  afterEach(() => {
    process.off("uncaughtException", note);
    expect(uncaught.splice(0)).toEqual([]);
  });

  test.each([
    ["and the work goes on with it", (tx: Tx) => via.run(tx, { parts: ["SELECT 1"], values: [] })],
    ["and the work is done", async () => "done"],
    [
      "and a service does not answer the work",
      () => Promise.reject(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" })),
    ],
  ])("a connection that ends while the work runs %s is no failure of the message", async (_, goOn) => {
    const message = contractMessage();
    const broken = open().once(db(), message, async (tx) => {
      await endConnection(tx);
      return goOn(tx);
    });
    await expect(broken).rejects.toThrow();
    expect(await open().once(db(), message, async () => "done")).toMatchObject(PROCESSED);
  });

  test("a failed message is processed, or parked, in a table that takes no NULL and few characters", async () => {
    await query(`CREATE TABLE narrow_inbox (id varchar(64) PRIMARY KEY, done ${timeType}, tries int NOT NULL,
      problem varchar(30) NOT NULL DEFAULT '', parked ${timeType})`);
    const inbox = open({ table: "narrow_inbox", columns, maxAttempts: 2 });
    const fail = () => Promise.reject(new Error(`${"x".repeat(300)} why`));
    const [healed, poison] = [contractMessage(), contractMessage()];
    await expect(inbox.once(db(), healed, fail)).rejects.toThrow("why");
    expect(await inbox.once(db(), healed, async () => "done")).toMatchObject(PROCESSED);
    await expect(inbox.once(db(), poison, fail)).rejects.toThrow("why");
    expect(await inbox.once(db(), poison, fail)).toMatchObject({ outcome: "parked" });
    const { rows } = await via.transaction(db(), (tx) =>
      via.run(tx, { parts: ["SELECT tries, problem FROM narrow_inbox ORDER BY problem"], values: [] }),
    );
    expect(rows).toEqual([
      { tries: 1, problem: "" },
      { tries: 2, problem: expect.stringMatching(/^Error: x+ … x+ why$/) },
    ]);
  });

  test("a message is parked in a table whose count has no default", async () => {
    await query(
      `CREATE TABLE own_inbox (id varchar(64) PRIMARY KEY, done ${timeType}, tries int, problem text, parked ${timeType})`,
    );
    const inbox = open({ table: "own_inbox", columns, maxAttempts: 2 });
    const message = contractMessage();
    const deliver = () => inbox.once(db(), message, () => Promise.reject(new Error("no")));
    await expect(deliver()).rejects.toThrow("no");
    expect(await deliver()).toMatchObject({ outcome: "parked" });
  });

  test.each([
    ["a character that no database stores", "a\0b"],
    ["more characters than a column holds", "x".repeat(300)],
  ])("a type with %s is parked", async (_, type) => {
    expect(await open().once(db(), { ...contractMessage(), type }, async () => "done")).toMatchObject({
      outcome: "parked",
    });
  });

  test("an aggregate that cannot be stored is none", async () => {
    const message = { ...contractMessage(), aggregateId: "a\0b", sequence: 1 };
    const inbox = open({ watchOrder: true, table: "numbered" });
    await query(inbox.schema());
    const { result } = await inbox.once(db(), message, async (_, { order }) => order);
    expect(result).toEqual({ known: false, why: "no_aggregate" });
  });

  test("an id that cannot be stored is refused with a sentence", async () => {
    const refused = open().once(db(), contractMessage("a\0b"), async () => "done");
    await expect(refused).rejects.toThrow(/without U\+0000/);
    await expect(refused).rejects.toSatisfy((error) => isClientError(error, "invalid_message"));
  });
}

describe("over Postgres", () => {
  const database = testDatabase("empty");
  const via = pg();
  const db = () => database().pool;
  beforeAll(() => db().query(createInbox(contractEvents, { via, consumer: "billing" }).schema()));
  const ended = (client: ClientBase) => new Promise<void>((resolve) => client.once("end", () => resolve()));
  suite("timestamptz", {
    via,
    db,
    query: (statement) => db().query(statement),
    endConnection: async (tx) => {
      const end = ended(tx);
      const { rows } = await tx.query("SELECT pg_backend_pid() AS pid");
      await db().query("SELECT pg_terminate_backend($1)", [rows[0].pid]);
      await end;
    },
  });

  test("work that takes longer than the database allows an idle transaction is a failure of the message", async () => {
    const inbox = createInbox(contractEvents, { via, consumer: "slow", maxAttempts: 1 });
    const slow = inbox.once(db(), contractMessage(), async (tx) => {
      const end = ended(tx);
      await tx.query("SET LOCAL idle_in_transaction_session_timeout = 50");
      await end;
    });
    expect(await slow).toMatchObject({ outcome: "parked" });
  });

  test("a pool that has no connection in time is no failure of the message", async () => {
    const pool = new Pool({ connectionString: database().url, max: 1 });
    const held = await pool.connect();
    pool.options.connectionTimeoutMillis = 50;
    try {
      // The connection is free again when the failure would be counted.
      const transaction: typeof via.transaction = (on, work) =>
        via.transaction(on, work).catch((error) => {
          held.release();
          throw error;
        });
      const inbox = createInbox(contractEvents, { via: { ...via, transaction }, consumer: "busy", maxAttempts: 1 });
      const message = contractMessage();
      await expect(inbox.once(pool, message, async () => "done")).rejects.toThrow(/timeout exceeded/);
      expect(await inbox.once(pool, message, async () => "done")).toMatchObject({ outcome: "processed" });
    } finally {
      await pool.end();
    }
  });
});

describe("over MySQL", () => {
  const database = testMysqlDatabase("mysql", "empty");
  const via = mysql2();
  let pool: MysqlPool | undefined;
  beforeAll(async () => {
    await database().query(createInbox(contractEvents, { via, consumer: "billing" }).schema());
    pool = createPool({ uri: database().url, connectionLimit: 4 });
  });
  afterAll(() => pool?.end());
  suite("datetime(6)", {
    via,
    db: () => pool as MysqlPool,
    query: (statement) => database().query(statement),
    endConnection: async (tx: Connection) => {
      const end = new Promise<void>((resolve) => (tx as PoolConnection).once("end", resolve));
      await database().query(`KILL ${tx.threadId}`);
      await end;
    },
  });

  test("a failure is counted where the error's column lacks a character of it", async () => {
    await database().query(`CREATE TABLE ascii_inbox (id varchar(64) PRIMARY KEY, done datetime(6), tries int,
      problem varchar(60) CHARACTER SET ascii, parked datetime(6))`);
    const inbox = createInbox(contractEvents, { via, consumer: "c", table: "ascii_inbox", columns, maxAttempts: 1 });
    const fail = () => Promise.reject(new Error(`${"漢".repeat(200)} why`));
    expect(await inbox.once(pool as MysqlPool, contractMessage(), fail)).toMatchObject({ outcome: "parked" });
    expect(await database().query("SELECT problem FROM ascii_inbox")).toMatchObject([
      { problem: expect.stringMatching(/^Error: \?+ \? \?+ why$/) },
    ]);
  });
});
