import { DrizzleQueryError, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { causeOf } from "#db/stores/shared/connection/driver-error.ts";
import { testMysqlDatabase } from "#tests/mysql.ts";
import { ownTables } from "../own-schema/schema.ts";
import { errorNumber, toDatabaseError } from "./database-error.ts";
import { failureOf, openPool } from "./test-pool.fixture.ts";
import { withReadTransaction, withSession } from "./transaction.ts";

const SECRET = "4111 1111 1111 1111";

/** An error as a logger prints it: its message, its stack, its own fields and those of its causes. */
function printed(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.message}\n${error.stack}\n${JSON.stringify({ ...error })}\n${printed(error.cause)}`;
}

describe.each(["mysql", "mariadb"] as const)("a statement that fails on %s", (flavor) => {
  const database = testMysqlDatabase(flavor, "empty");

  const failing = (statement: string) =>
    failureOf(withSession(openPool(database()), (session) => session.run(statement)));

  test("throws what the driver threw: neither its statement nor its parameters are in it", async () => {
    const pool = openPool(database());
    const missing = sql`SELECT ${SECRET} FROM no_such_table`;
    const ways = [
      () => withSession(pool, (session) => session.rows(missing)),
      () => withSession(pool, (session) => session.script([missing])),
      () => withSession(pool, ({ db }) => db.execute(missing)),
      () => withReadTransaction(pool, 3000, ({ db }) => db.select({ it: sql`${SECRET}` }).from(sql`no_such_table`)),
    ];
    for (const way of ways) {
      const error = await failureOf(way());
      expect(errorNumber(error)).toBe(1146);
      expect(error).not.toBeInstanceOf(DrizzleQueryError);
      expect(printed(error)).toContain("no_such_table");
      expect(printed(error)).not.toContain(SECRET);
    }
  });

  test("is shown and logged without them where Drizzle's own error comes through", () => {
    const thrown = Object.assign(new Error("no such table"), { errno: 1146 });
    const error = new DrizzleQueryError("SELECT ?", [SECRET], thrown);
    expect(causeOf(error)).toBe(thrown);
    expect(printed(toDatabaseError(error, "shop"))).not.toContain(SECRET);
  });

  test("because a constraint, a reference, a trigger or a column refuses it, says which", async () => {
    await database().query(`CREATE TABLE parent (id int PRIMARY KEY, word varchar(3), UNIQUE KEY by_word (word)) ENGINE = InnoDB;
      CREATE TABLE child (id int, CONSTRAINT of_parent FOREIGN KEY (id) REFERENCES parent (id)) ENGINE = InnoDB;
      CREATE TABLE guarded (id int PRIMARY KEY, n int NOT NULL) ENGINE = InnoDB;
      CREATE TRIGGER guard BEFORE DELETE ON guarded FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'secret';
      INSERT INTO parent VALUES (1, 'a'); INSERT INTO child VALUES (1); INSERT INTO guarded VALUES (1, 1)`);
    const says = async (statement: string) => {
      const { code, message } = toDatabaseError(await failing(statement), "outbox orders");
      expect(code).toBe("conflict");
      return /\((.*)\)/.exec(message)?.[1];
    };
    expect(await says("INSERT INTO parent VALUES (2, 'a')")).toMatch(/^key (parent\.)?by_word$/);
    expect(await says("DELETE FROM parent")).toBe("constraint of_parent");
    expect(await says("INSERT INTO child VALUES (7)")).toBe("constraint of_parent");
    expect(await says("DELETE FROM guarded")).toBe("a trigger raised an error");
    expect(await says("INSERT INTO parent VALUES (3, 'long')")).toBe("a value does not fit the column word");
    expect(await says("INSERT INTO guarded VALUES (3, 'column ''secret''')")).toBe("a value does not fit the column n");
    expect(await says("INSERT INTO guarded (id) VALUES (4)")).toBe("a value does not fit the column n");
    expect(await says("INSERT INTO guarded VALUES (5, NULL)")).toBe("a value does not fit the column n");
  });

  test("because one of our own tables is not there says that, and of another table does not", async () => {
    const { name } = database();
    const says = async (table: string) =>
      toDatabaseError(await failing(`SELECT 1 FROM ${table}`), "outbox orders").message;
    const [gone, prefix] = [`${name}_gone`, `oc_${flavor}_`];
    expect(await says(`${prefix}claim`)).toMatch(/^A table or column of outbox orders no longer exists/);
    ownTables({ prefix });
    ownTables({ database: gone });
    expect(await says(`${prefix}claim`)).toMatch(
      new RegExp(`^The console's own table ${name}\\.${prefix}claim is not on the server`),
    );
    expect(await says(`${gone}.claim`)).toMatch(/^The console's own (database|table) \S+ is not on the server/);
    expect(await says("not_there")).toMatch(/^A table or column of outbox orders no longer exists/);
  });

  test("because something is not there says so", async () => {
    await database().query("CREATE TABLE there (id int)");
    for (const statement of ["SELECT * FROM not_there", "SELECT nothing FROM there", "SELECT * FROM no_db.there"]) {
      const error = await failing(statement);
      expect(toDatabaseError(error, "outbox orders").code, statement).toBe("unavailable");
    }
  });

  test("because another session has locked the rows, or both have, says so", async () => {
    await database().query(
      "CREATE TABLE locked (id int PRIMARY KEY) ENGINE = InnoDB; INSERT INTO locked VALUES (1), (2)",
    );
    const other = await database().connect();
    await other.query("BEGIN");
    await other.query("SELECT * FROM locked WHERE id = 1 FOR UPDATE");
    const nowait = await failing("SELECT * FROM locked WHERE id = 1 FOR UPDATE NOWAIT");
    expect(toDatabaseError(nowait, "shop").code).toBe("locked");
    const skipped = await withSession(openPool(database()), (session) =>
      session.rows("SELECT * FROM locked FOR UPDATE SKIP LOCKED"),
    );
    expect(skipped).toEqual([["2"]]);
    await other.end();
  });
});
