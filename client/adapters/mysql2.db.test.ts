import { type Connection, createPool, type Pool, type PoolConnection } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testMysqlDatabase } from "../../tests/mysql.ts";
import { createInbox } from "../inbox/create-inbox.ts";
import { createOutbox } from "../outbox/create-outbox.ts";
import { adapterSuite } from "../testing/adapter-suite.fixture.ts";
import { contractEvents, contractPayload } from "../testing/contract-events.ts";
import { contractMessage } from "../testing/inbox-contract.ts";
import { mysql2 } from "./mysql2.ts";

const via = mysql2();

describe.each(["mysql", "mariadb"] as const)("over %s", (flavor) => {
  const database = testMysqlDatabase(flavor, "empty");
  const outbox = createOutbox(contractEvents, { via });
  const inbox = createInbox(contractEvents, { via, consumer: "contract" });
  let pool: Pool | undefined;

  beforeAll(async () => {
    await database().query(outbox.schema());
    await database().query(inbox.schema());
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

  /** A transaction whose view of the tables is older than what `meanwhile` commits. */
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

  test("an event that was written after the transaction's view is there already", async () => {
    const id = crypto.randomUUID();
    const add = (tx: Connection) => outbox.add(tx, "contract.checked", contractPayload("a"), { id });
    await inOlderView(
      () => via.transaction(db(), add),
      async (tx) => expect(await add(tx)).toEqual({ id, added: false }),
    );
  });
});
