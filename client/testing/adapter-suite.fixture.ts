import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { isClientError } from "../errors.ts";
import { createInbox } from "../inbox/create-inbox.ts";
import { createOutbox } from "../outbox/create-outbox.ts";
import type { Adapter } from "../sql/adapter.ts";
import { sql } from "../sql/statement.ts";
import { contractEvents, contractPayload } from "./contract-events.ts";
import { contractMessage, inboxContract } from "./inbox-contract.ts";
import { outboxContract } from "./outbox-contract.ts";
import { readStored } from "./stored-event.ts";

interface AdapterUnderTest<Tx, Db> {
  via: Adapter<Tx, Db>;
  db(): Db;
  outside(use: (handle: Tx) => Promise<void>): Promise<void>;
  /**
   * The library itself ends the process, or waits for ever, if a connection ends its own session, so it cannot be
   * tested.
   */
  diesWithConnection?: true;
  /** The library never answers a statement that comes while the transaction ends. */
  forgetsStatements?: true;
}

const END_OWN_CONNECTION = {
  postgres: sql`SELECT 1 AS ended FROM pg_terminate_backend(pg_backend_pid())`,
  mysql: sql`KILL CONNECTION_ID()`,
};

/** A port without a listener. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Both contract suites over tables of the recommended layout, named outbox and inbox. */
export function adapterSuite<Tx, Db>(harness: AdapterUnderTest<Tx, Db>): void {
  describe("outbox", () => {
    for (const { name, run } of outboxContract({ ...harness, layout: {} })) test(name, run);
  });
  refusalSuite(harness);
  // In MySQL no statement can say whether it is in a transaction.
  if (harness.via.dialect === "postgres") {
    unawaitedSuite(harness);
    failedSuite(harness);
  }
  describe("inbox", () => {
    for (const { name, run } of inboxContract({ ...harness, layout: {}, effects: {} })) test(name, run);
    test("a service that does not answer the work is a failure of the message", async () => {
      const { via, db } = harness;
      const inbox = createInbox(contractEvents, { via, consumer: "calling", maxAttempts: 2 });
      const message = contractMessage();
      const port = await closedPort();
      const deliver = () => inbox.once(db(), message, async () => fetch(`http://127.0.0.1:${port}/`));
      await expect(deliver()).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
      expect(await deliver()).toMatchObject({ outcome: "parked" });
    });
    if (harness.diesWithConnection) return;
    test("a connection that is lost while the work runs is no failure of the message", async () => {
      const { via, db } = harness;
      const inbox = createInbox(contractEvents, { via, consumer: "losing", maxAttempts: 1 });
      const message = contractMessage();
      const lost = inbox.once(db(), message, async (tx) => {
        await via.run(tx, END_OWN_CONNECTION[via.dialect]).catch(() => undefined);
        await via.run(tx, sql`SELECT 1 AS more`);
      });
      await expect(lost).rejects.toThrow();
      expect(await inbox.once(db(), message, async () => "done")).toMatchObject({ outcome: "processed" });
    });
  });
}

/**
 * What the database refuses about the table comes with what to do, and without the payload that Drizzle and Knex put in
 * front.
 */
function refusalSuite<Tx, Db>({ via, db }: AdapterUnderTest<Tx, Db>): void {
  const add = (table: string) => {
    const outbox = createOutbox(contractEvents, { via, table });
    return via.transaction(db(), (tx) => outbox.add(tx, "contract.checked", contractPayload("a-secret")));
  };
  const once = (table: string) =>
    createInbox(contractEvents, { via, consumer: "refused", table }).once(db(), contractMessage(), async () => "done");
  test.each([
    ["an outbox that is missing", () => add("no_such_table"), /There is no table no_such_table.*outbox\.schema\(\)/],
    ["an inbox that is missing", () => once("no_such_table"), /There is no table no_such_table.*inbox\.schema\(\)/],
    ["an outbox with other columns", () => add("inbox"), /inbox lacks a column that createOutbox uses/],
    ["an inbox with other columns", () => once("outbox"), /outbox lacks a column that createInbox uses/],
  ])("%s is refused with a sentence that says what to do", async (_, refused, expected) => {
    const error: unknown = await refused().then(
      () => null,
      (reason) => reason,
    );
    expect(isClientError(error, "unusable_table")).toBe(true);
    const { message } = error as Error;
    expect(message).toMatch(expected);
    expect(message).not.toMatch(/VALUES|a-secret/);
  });
}

/** Postgres alone fails a whole transaction with its statement. */
function failedSuite<Tx, Db>({ via, db }: AdapterUnderTest<Tx, Db>): void {
  test("a transaction that has failed before is refused with a sentence that says what to do", async () => {
    const outbox = createOutbox(contractEvents, { via });
    let refused: unknown;
    const ended = via.transaction(db(), async (tx) => {
      await via.run(tx, sql`SELECT 1 / 0 AS failed`).catch(() => undefined);
      await outbox.add(tx, "contract.checked", contractPayload("k")).catch((error) => {
        refused = error;
      });
      throw new Error("given up");
    });
    await expect(ended).rejects.toThrow();
    expect(refused).toMatchObject({ code: "not_in_transaction", message: expect.stringContaining("roll it back") });
  });
}

function unawaitedSuite<Tx, Db>({ via, db, forgetsStatements }: AdapterUnderTest<Tx, Db>): void {
  test.each([0, 1, 5, 25])(
    "a cancel that nobody awaits takes nothing away after a rollback %i turns later",
    async (turns) => {
      const outbox = createOutbox(contractEvents, { via });
      const add = (tx: Tx, key: string) => outbox.add(tx, "contract.checked", contractPayload(key), { delay: "1h" });
      const { id } = await via.transaction(db(), (tx) => add(tx, "cancelled"));
      const cancelling: Promise<unknown>[] = [];
      const failing = via.transaction(db(), async (tx) => {
        cancelling.push(outbox.cancel(tx, String(id)).catch(() => undefined));
        for (let turn = 0; turn < turns; turn += 1) await undefined;
        throw new Error("the business failed");
      });
      await expect(failing).rejects.toThrow("the business failed");
      const settled = Promise.all(cancelling);
      const later = () => via.transaction(db(), (tx) => add(tx, "later"));
      await (forgetsStatements ? Promise.race([settled, later()]) : settled);
      expect((await readStored(via, db(), outbox.layout)).filter((event) => event.id === id)).toHaveLength(1);
    },
  );
  describe("an add that nobody awaits", () => {
    const outbox = createOutbox(contractEvents, { via });
    test.each([0, 1, 5, 25])("is gone with a transaction that fails %i turns later", async (turns) => {
      const keys = Array.from({ length: 5 }, () => crypto.randomUUID());
      const adding: Promise<unknown>[] = [];
      for (const key of keys) {
        const failing = via.transaction(db(), async (tx) => {
          adding.push(outbox.add(tx, "contract.checked", contractPayload(key)).catch(() => undefined));
          for (let turn = 0; turn < turns; turn += 1) await undefined;
          throw new Error("the business failed");
        });
        await expect(failing).rejects.toThrow("the business failed");
      }
      const settled = Promise.all(adding);
      const later = async () => {
        for (const key of keys)
          await via.transaction(db(), (tx) => outbox.add(tx, "contract.checked", contractPayload(`later ${key}`)));
      };
      await (forgetsStatements ? Promise.race([settled, later()]) : settled);
      const stored = await readStored(via, db(), outbox.layout);
      expect(stored.filter(({ aggregateId }) => keys.includes(String(aggregateId)))).toEqual([]);
    });
  });
}
