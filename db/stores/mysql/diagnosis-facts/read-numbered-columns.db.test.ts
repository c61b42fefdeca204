import { describe, expect, onTestFinished, test } from "vitest";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { testMysqlDatabase } from "#tests/mysql.ts";
import { createStorePools } from "../connection/store-pools.ts";
import { withReadTransaction } from "../connection/transaction.ts";
import { readNumberedColumns } from "./read-numbered-columns.ts";

const INSERT = "INSERT INTO outbox_events (payload) VALUES ('{}')";

describe.each(["mysql", "mariadb"] as const)("the numbers of a table on %s", (flavor) => {
  const database = testMysqlDatabase(flavor);
  const column = (name: string, type: string): MappedColumn => ({ name, type, nullable: false, from: "config" });

  async function tableWith(id: string) {
    const { url, own, name, query } = database();
    await query("DROP TABLE IF EXISTS outbox_events");
    await query(`CREATE TABLE outbox_events (id ${id}, payload text)`);
    const pools = createStorePools({ url, own, applicationName: "outbox-console test" });
    onTestFinished(() => pools.close());
    const ref: OutboxRef = {
      name: "orders",
      mapping: {
        table: { schema: name, name: "outbox_events" },
        primaryKey: [column("id", "int")],
        columns: { id: column("id", "int"), payload: column("payload", "text") },
        lifecycle: { kind: "delete" },
        ...{ deadAttempts: null, archiveTable: null, shape: "configured" },
      },
      ...{ storeSide: true, maxAttempts: null, estimatedRows: 2 },
    };
    return () => withReadTransaction(pools.reads(), 3000, (session) => readNumberedColumns(session, ref));
  }

  test.each([
    ["tinyint", 127],
    ["smallint unsigned", 65_535],
    ["mediumint", 8_388_607],
    ["int", 2_147_483_647],
  ])(
    "of type %s: until the last insert that succeeds, and more after the statement that is printed",
    async (type, max) => {
      const { query } = database();
      const read = await tableWith(`${type} NOT NULL AUTO_INCREMENT PRIMARY KEY`);
      expect(await read()).toMatchObject([{ column: "id", type, left: max, total: max }]);
      await query(`INSERT INTO outbox_events (id) VALUES (${max - 2})`);
      expect(await read()).toMatchObject([{ left: 2 }]);
      await query(INSERT);
      expect(await read()).toMatchObject([{ left: 1 }]);
      await query(INSERT);
      expect(await read()).toMatchObject([{ left: 0 }]);
      await expect(query(INSERT)).rejects.toThrow(/Duplicate entry|Out of range value/);
      const [full] = await read();
      expect(full).toMatchObject({ left: 0 });
      await query(full?.widenStatement ?? "");
      await query(INSERT);
      expect((await read())[0]?.left).toBeGreaterThan(1e18);
    },
  );

  test("a table without AUTO_INCREMENT takes no number from the database", async () => {
    const read = await tableWith("int NOT NULL PRIMARY KEY");
    expect(await read()).toEqual([]);
  });
});
