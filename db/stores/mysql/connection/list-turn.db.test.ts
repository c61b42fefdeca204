import { describe, expect, test } from "vitest";
import { borrowMysqlDatabase, flavorsFor } from "#tests/mysql.ts";
import { waitFor } from "#tests/wait-for.ts";
import { readFreshTransactions } from "../diagnosis-facts/sessions/innodb-transactions.ts";
import { inListTurn } from "./list-turn.ts";
import { createPool } from "./pool.ts";
import { withReadTransaction } from "./transaction.ts";

const READERS = 8;

describe.each(flavorsFor("mysql"))("turns at the list of transactions of %s", (flavor) => {
  const withPool = async (use: (pool: ReturnType<typeof createPool>) => Promise<void>) => {
    const database = await borrowMysqlDatabase(flavor);
    const pool = createPool({
      ...{ url: database.url, own: database.own, applicationName: "outbox-console test", readOnly: true },
      ...{ max: READERS, statementTimeoutMs: 5000 },
    });
    await use(pool);
    await pool.end();
    await database.drop();
  };

  test("let every one of several readers see a list of this moment", async () => {
    await withPool(async (pool) => {
      const readTwice = async () => {
        for (let n = 0; n < 2; n += 1) await withReadTransaction(pool, 5000, readFreshTransactions);
      };
      // Readers of other tests take turns as well, which may take longer than a reader waits.
      await waitFor(() => Promise.all(Array.from({ length: READERS }, readTwice)), { message: "all of them see it" });
    });
  });

  test("are taken one after the other, and end with an error too", async () => {
    await withPool(async (pool) => {
      let inside = 0;
      let most = 0;
      const work = async () => {
        inside += 1;
        most = Math.max(most, inside);
        await new Promise(setImmediate);
        inside -= 1;
        throw new Error("the work failed");
      };
      const outcomes = await Promise.allSettled(
        Array.from({ length: READERS }, () => withReadTransaction(pool, 5000, (session) => inListTurn(session, work))),
      );
      expect(outcomes).toEqual(outcomes.map(() => ({ status: "rejected", reason: new Error("the work failed") })));
      expect(most).toBe(1);
    });
  });

  test("are not waited for without end when a process stands still in one", async () => {
    await withPool(async (pool) => {
      const { promise: standing, resolve: goOn } = Promise.withResolvers<void>();
      const { promise: begun, resolve: begins } = Promise.withResolvers<void>();
      const first = withReadTransaction(pool, 5000, (session) =>
        inListTurn(session, async () => {
          begins();
          await standing;
        }),
      );
      await begun;
      expect(await withReadTransaction(pool, 5000, (session) => inListTurn(session, async () => "read"))).toBe("read");
      goOn();
      await first;
    });
  });
});
