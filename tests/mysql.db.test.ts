import { describe, expect, test } from "vitest";
import { borrowMysqlDatabase, type MysqlTestDatabase } from "./mysql.ts";
import { MYSQL_FLAVORS } from "./mysql-servers/server-program.ts";

const tablesOf = async ({ query, name }: MysqlTestDatabase) =>
  (await query("SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ?", [name])).map(
    (row) => row.name,
  );

describe.each(MYSQL_FLAVORS)("a borrowed database of %s", (flavor) => {
  test("comes back empty, with our own tables in it", async () => {
    const first = await borrowMysqlDatabase(flavor);
    await first.query("CREATE TABLE orders (id int PRIMARY KEY)");
    await first.query(`INSERT INTO ${first.own.database}.suspect (outbox, message_id) VALUES ('orders', '1')`);
    await first.drop();
    const second = await borrowMysqlDatabase(flavor);
    expect(second.name).toBe(first.name);
    expect(await tablesOf(second)).toEqual([]);
    expect(await second.query(`SELECT * FROM ${second.own.database}.suspect`)).toEqual([]);
    expect(await second.query(`SELECT belongs_to FROM ${second.own.database}.meta`)).toEqual([
      { belongs_to: first.name },
    ]);
    await second.drop();
  });

  test("is not lent again when a test has left a connection in it", async () => {
    const left = await borrowMysqlDatabase(flavor);
    const other = await borrowMysqlDatabase(flavor);
    await other.query(`USE ${left.name}`);
    await expect(left.drop(100)).rejects.toThrow("1 connection(s) were left open");
    await other.drop();
    const next = await borrowMysqlDatabase(flavor);
    expect(next.name).toBe(other.name);
    await next.drop();
  });
});
