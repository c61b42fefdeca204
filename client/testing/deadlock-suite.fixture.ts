import { expect, test } from "vitest";
import type { MysqlTestDatabase } from "../../tests/mysql.ts";
import { waitFor } from "../../tests/wait-for.ts";
import { createInbox } from "../inbox/create-inbox.ts";
import { createOutbox } from "../outbox/create-outbox.ts";
import type { Adapter } from "../sql/adapter.ts";
import { isDeadlock } from "../sql/database-errors.ts";
import { sql } from "../sql/statement.ts";
import { contractEvents, contractPayload } from "./contract-events.ts";
import { contractMessage } from "./inbox-contract.ts";

interface Side<Tx, Db> {
  via: Adapter<Tx, Db>;
  db(): Db;
  database(): MysqlTestDatabase;
}

const TYPE = "contract.checked";
const OTHER_ROWS = 100;

/** Sequelize ends its own transaction after a deadlock. */
const endedMeanwhile = /was rolled back while the work ran|rollback has been called on this transaction/;

/**
 * Guarantees for code that swallows a deadlock: MySQL has ended the transaction, but the library continues to use it.
 */
export function deadlockSuite<Tx, Db>({ via, db, database }: Side<Tx, Db>): void {
  const outbox = createOutbox(contractEvents, { via });
  const inbox = createInbox(contractEvents, { via, consumer: "deadlocked" });
  const effect = async (tx: Tx, { id }: { id: string }) => {
    await outbox.add(tx, TYPE, contractPayload(id));
    return "done";
  };
  const effects = async ({ id }: { id: string }) =>
    (await database().query("SELECT id FROM outbox WHERE aggregate_id = ?", [id])).length;

  /** The server ends the transaction that has changed fewer rows. */
  const swallowDeadlock = async (tx: Tx): Promise<void> => {
    await database().query("CREATE TABLE IF NOT EXISTS stock (id int PRIMARY KEY, count int)");
    await database().query("REPLACE INTO stock VALUES (1, 0), (2, 0)");
    const other = await database().connect();
    await other.beginTransaction();
    const rows = Array.from({ length: OTHER_ROWS }, (_, index) => `(${index + 1000}, 0)`);
    await other.query(`REPLACE INTO stock VALUES ${rows.join()}`);
    await other.query("UPDATE stock SET count = 1 WHERE id = 2");
    await via.run(tx, sql`UPDATE stock SET count = 1 WHERE id = 1`);
    const waits = other.query("UPDATE stock SET count = 2 WHERE id = 1");
    await waitFor(
      async () =>
        (await database().query("SELECT 1 FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'")).length >
        0,
      // The server makes the list anew only after 100 ms without a read of it.
      { message: "the other transaction waits", intervalMs: 150 },
    );
    await expect(via.run(tx, sql`UPDATE stock SET count = 2 WHERE id = 2`)).rejects.toSatisfy(isDeadlock);
    await waits;
    await other.rollback();
  };

  test("work that swallows a deadlock is not processed, and its next delivery is", async () => {
    const message = contractMessage();
    const careless = inbox.once(db(), message, async (tx, event) => {
      await effect(tx, event);
      await swallowDeadlock(tx);
    });
    await expect(careless).rejects.toThrow(endedMeanwhile);
    expect(await effects(message)).toBe(0);
    expect(await inbox.once(db(), message, effect)).toMatchObject({ outcome: "processed" });
    expect(await effects(message)).toBe(1);
  });

  test("the mark of another delivery, made after a deadlock that work swallowed, is not taken for its own", async () => {
    const message = contractMessage();
    const careless = inbox.once(db(), message, async (tx) => {
      await swallowDeadlock(tx);
      expect(await inbox.once(db(), message, effect)).toMatchObject({ outcome: "processed" });
    });
    await expect(careless).rejects.toThrow(endedMeanwhile);
    expect(await effects(message)).toBe(1);
  });

  test("after a deadlock that the caller swallowed, no mark is written in its transaction", async () => {
    const message = contractMessage();
    const careless = via.transaction(db(), async (tx) => {
      await swallowDeadlock(tx);
      const failing = inbox.onceIn(tx, message, () => Promise.reject(new Error("the work failed")));
      await expect(failing).rejects.toThrow();
    });
    // The library may notice that there is nothing to commit.
    await careless.catch(() => undefined);
    expect(await inbox.once(db(), message, effect)).toMatchObject({ outcome: "processed" });
  });
}
