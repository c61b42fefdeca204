import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { Lifecycle, MappedColumn, OutboxMapping } from "#db/stores/port/mapping.ts";
import type { MappingFingerprint } from "#db/stores/port/mapping-fingerprint.ts";
import { testMysqlDatabase } from "#tests/mysql.ts";
import { createStorePools } from "../connection/store-pools.ts";
import { withReadTransaction } from "../connection/transaction.ts";
import { readReplacedTable } from "./read-replaced-table.ts";

const column = (name: string, type: string): MappedColumn => ({ name, type, nullable: name !== "id", from: "config" });
const PUBLISHED_AT = { ...column("published_at", "datetime(6)"), time: { kind: "timestamp", zone: "UTC" } } as const;

describe.each(["mysql", "mariadb"] as const)("the earlier table of an outbox on %s", (flavor) => {
  const database = testMysqlDatabase(flavor);

  beforeEach(async () => {
    const { query, own } = database();
    await query("DROP TABLE IF EXISTS `shop-events`, `_shop-events_old`, elsewhere");
    await query(`CREATE TABLE \`shop-events\` (id bigint PRIMARY KEY, payload text, published_at datetime(6), KEY (published_at));
      INSERT INTO \`shop-events\` VALUES (1, 'a', UTC_TIMESTAMP(6)), (2, 'b', NULL), (3, 'c', NULL);
      DELETE FROM ${own.database}.mapping_fingerprint;
      INSERT INTO ${own.database}.mapping_fingerprint (outbox, fingerprint, accepted_at, accepted_by)
      VALUES ('orders', '{}', UTC_TIMESTAMP(6), 'first start')`);
    expect(await read()).toBeNull();
    // A server tells the time of creation in seconds, and a table is seldom replaced in its first.
    await query(`UPDATE ${own.database}.mapping_fingerprint SET table_created = '2026-01-02 03:04:05'`);
  });

  async function read(lifecycle: Lifecycle = { kind: "timestamp", column: PUBLISHED_AT }) {
    const { url, own, name } = database();
    const pools = createStorePools({ url, own, applicationName: "outbox-console test" });
    onTestFinished(() => pools.close());
    const mapping: OutboxMapping = {
      table: { schema: name, name: "shop-events" },
      primaryKey: [column("id", "bigint")],
      columns: { id: column("id", "bigint"), payload: column("payload", "text"), publishedAt: PUBLISHED_AT },
      lifecycle,
      ...{ deadAttempts: null, archiveTable: null, shape: "configured" },
    };
    const ref = { name: "orders", mapping, storeSide: true, maxAttempts: null, estimatedRows: 2 };
    const accepted = {} as MappingFingerprint;
    return withReadTransaction(pools.reads(), 3000, (session) =>
      readReplacedTable(session, pools.writes, { ...ref, accepted }),
    );
  }

  const swap = (copied: string) =>
    database().query(`CREATE TABLE elsewhere LIKE \`shop-events\`;
      INSERT INTO elsewhere SELECT * FROM \`shop-events\` WHERE ${copied};
      RENAME TABLE \`shop-events\` TO \`_shop-events_old\`, elsewhere TO \`shop-events\``);

  test("is named with its unsent messages that the new one lacks, until these are copied", async () => {
    const { query, name } = database();
    await swap("id <> 3");
    const replaced = { how: "renamed", table: `${name}.shop-events`, earlier: `${name}._shop-events_old` };
    expect(await read()).toEqual({ ...replaced, messages: 1, capped: false, maybePublished: false });
    expect(await read({ kind: "delete" })).toMatchObject({ messages: 1, maybePublished: true });
    await query("INSERT INTO `shop-events` SELECT * FROM `_shop-events_old` WHERE id = 3");
    expect(await read()).toBeNull();
    await query("DELETE FROM `shop-events` WHERE id = 3");
    expect(await read(), "what was published and removed later is not missed").toBeNull();
  });

  test("is named without a number where its columns are others", async () => {
    await swap("false");
    await database().query("ALTER TABLE `_shop-events_old` RENAME COLUMN published_at TO sent_at");
    expect(await read()).toMatchObject({ messages: null });
  });

  test("is not there where all was copied, and where the table was only rebuilt or emptied", async () => {
    const { query } = database();
    await swap("true");
    expect(await read()).toBeNull();
    await query("ALTER TABLE `shop-events` ADD note text, ALGORITHM = COPY");
    expect(await read()).toBeNull();
    await query("TRUNCATE TABLE `shop-events`");
    expect(await read()).toBeNull();
  });
});
