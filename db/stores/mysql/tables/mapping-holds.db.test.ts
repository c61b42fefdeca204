import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { MappingFingerprint } from "#db/stores/port/mapping-fingerprint.ts";
import { flavorsFor, testMysqlDatabase } from "#tests/mysql.ts";
import { createPool, type Pool } from "../connection/pool.ts";
import { withReadTransaction } from "../connection/transaction.ts";
import { type ForeignBox, openForeignBox, publishedAt } from "../read/foreign-box.fixture.ts";
import { mappingHoldsSql } from "./mapping-holds.ts";

describe.each(flavorsFor("mariadb"))("%s", (flavor) => {
  const database = testMysqlDatabase(flavor);
  const query = (statement: string) => database().query(statement);
  let pool: Pool;
  let box: ForeignBox;
  let accepted: MappingFingerprint;
  beforeAll(() => {
    const { url, own } = database();
    pool = createPool({ url, own, applicationName: "holds", readOnly: true, max: 1, statementTimeoutMs: 5000 });
  });
  afterAll(() => pool?.end());
  beforeEach(async () => {
    await query("DROP TABLE IF EXISTS outbox");
    await query(
      "CREATE TABLE outbox (id varchar(36) NOT NULL PRIMARY KEY, kind enum('a','b'), payload longtext, published_at datetime(6))",
    );
    box = await openForeignBox(database(), {
      table: "outbox",
      roles: { id: "id", payload: "payload", eventType: "kind" },
      lifecycle: publishedAt,
    });
    accepted = box.ref.accepted as MappingFingerprint;
  });
  afterEach(() => box?.store.close());
  const holds = () =>
    withReadTransaction(
      pool,
      3000,
      async (session) => (await session.rows(`SELECT ${mappingHoldsSql(accepted)}`))[0]?.[0],
    );

  test("a table that is the accepted one holds a lock, so that nobody changes it until the transaction ends", async () => {
    await withReadTransaction(pool, 3000, async (session) => {
      expect(await session.rows(`SELECT ${mappingHoldsSql(accepted)}`)).toEqual([["1"]]);
      await query("SET SESSION lock_wait_timeout = 1");
      await expect(query("ALTER TABLE outbox ADD note text")).rejects.toMatchObject({ errno: 1205 });
    });
    await query("ALTER TABLE outbox ADD note text FIRST");
    expect(await holds(), "a further column changes nothing").toBe("1");
  });

  test.each([
    ["a renamed column", "ALTER TABLE outbox CHANGE payload body longtext"],
    ["another type", "ALTER TABLE outbox MODIFY payload longblob"],
    ["another collation", "ALTER TABLE outbox MODIFY id varchar(36) COLLATE utf8mb4_bin NOT NULL"],
    ["another length", "ALTER TABLE outbox MODIFY id varchar(40) NOT NULL"],
    ["no key", "ALTER TABLE outbox DROP PRIMARY KEY"],
    ["a part of a key", "ALTER TABLE outbox DROP PRIMARY KEY, ADD UNIQUE KEY part (id(10))"],
    ["a wider key", "ALTER TABLE outbox DROP PRIMARY KEY, ADD UNIQUE KEY wider (id, kind)"],
  ])("%s is noticed", async (_, change) => {
    expect(await holds()).toBe("1");
    await query(change);
    expect(await holds()).toBe("0");
  });

  test("another unique index over the same columns serves as well", async () => {
    await query("ALTER TABLE outbox DROP PRIMARY KEY, ADD UNIQUE KEY again (id)");
    expect(await holds()).toBe("1");
    await query("DROP TABLE outbox");
    await expect(holds()).rejects.toMatchObject({ errno: 1146 });
  });
});
