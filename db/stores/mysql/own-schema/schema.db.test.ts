import { getTableColumns, getTableName, is } from "drizzle-orm";
import { MySqlTable } from "drizzle-orm/mysql-core";
import { describe, expect, test } from "vitest";
import { testMysqlDatabase } from "#tests/mysql.ts";
import type { PauseSubject } from "../../port/pauses.ts";
import { openPool } from "../connection/test-pool.fixture.ts";
import { withSession } from "../connection/transaction.ts";
import { deletePause, writePause } from "./pauses.ts";
import { ownTables } from "./schema.ts";

describe.each(["mysql", "mariadb"] as const)("our tables on %s", (flavor) => {
  const database = testMysqlDatabase(flavor);

  test("have the columns that Drizzle knows, with their types", async () => {
    const { own, query } = database();
    const tables = Object.values(ownTables(own)).filter((table) => is(table, MySqlTable));
    const known = tables.flatMap((table) =>
      Object.values(getTableColumns(table as MySqlTable)).map(
        (column) => `${getTableName(table as MySqlTable)}.${column.name} ${column.getSQLType()} ${column.notNull}`,
      ),
    );
    const rows = await query(
      "SELECT table_name AS t, column_name AS c, column_type AS type, is_nullable = 'NO' AS filled FROM information_schema.columns WHERE table_schema = ?",
      [own.database],
    );
    const created = rows.map(({ t, c, type, filled }) => {
      // MariaDB's json is a longtext.
      const json = known.includes(`${t}.${c} json ${filled === "1"}`) && type === "longtext";
      return `${t}.${c} ${json ? "json" : type?.replace("bigint(20)", "bigint")} ${filled === "1"}`;
    });
    expect(created.toSorted()).toEqual(known.toSorted());
  });

  test("tell the time of a change", async () => {
    const { own, query } = database();
    await query(`INSERT INTO ${own.database}.delivery (outbox, message_id) VALUES ('a', 'b')`);
    const read = () => query(`SELECT changed_at AS at FROM ${own.database}.delivery`);
    const [before] = await read();
    await query(`UPDATE ${own.database}.delivery SET attempts = attempts + 1`);
    const [after] = await read();
    expect((after?.at ?? "") > (before?.at ?? "")).toBe(true);
  });

  test("a pause that has run out is not there to be ended", async () => {
    const { own, query } = database();
    const pool = openPool(database());
    const subject: PauseSubject = { outbox: "orders", scope: "event_type", subject: "order.placed" };
    await withSession(pool, async (session) => {
      await writePause(session, { ...subject, reason: "x", by: "ana", minutes: 5 });
      await query(`UPDATE ${own.database}.pause SET until = UTC_TIMESTAMP() - INTERVAL 1 SECOND`);
      expect(await deletePause(session, subject)).toBe(false);
      await writePause(session, { ...subject, reason: "y", by: "ana", minutes: 5 });
      expect(await deletePause(session, { ...subject, subject: "Order.Placed" })).toBe(false);
      expect(await deletePause(session, subject)).toBe(true);
      expect(await deletePause(session, subject)).toBe(false);
    });
  });
});
