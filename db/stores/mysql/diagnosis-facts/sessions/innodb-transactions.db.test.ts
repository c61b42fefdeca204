import { expect, test } from "vitest";
import { borrowMysqlDatabase, flavorsFor } from "#tests/mysql.ts";
import { createPool } from "../../connection/pool.ts";
import { withReadTransaction } from "../../connection/transaction.ts";
import { readRecentTransactions, StaleReadingError } from "./innodb-transactions.ts";

test.each(flavorsFor("mysql"))(
  "outboxes of %s share a list of open transactions, and none gets the same list twice",
  async (flavor) => {
    const database = await borrowMysqlDatabase(flavor);
    const pool = createPool({
      ...{ url: database.url, own: database.own, applicationName: "outbox-console test", readOnly: true },
      ...{ max: 2, statementTimeoutMs: 5000 },
    });
    const read = (outbox: string) =>
      withReadTransaction(pool, 5000, (session) => readRecentTransactions(pool, outbox, session));
    const first = await read("one").catch((error: unknown) => error);
    // Other tests may read all the time.
    if (!(first instanceof StaleReadingError)) {
      expect(await read("two")).toBe(first);
      expect(await read("two").catch(() => null)).not.toBe(first);
      expect(await read("one").catch(() => null)).not.toBe(first);
    }
    await pool.end();
    await database.drop();
  },
);
