import { describe, expect, onTestFinished, test } from "vitest";
import { flavorsFor, MYSQL_START_TIMEOUT_MS, onServer } from "#tests/mysql.ts";
import { findMariadbProgram } from "#tests/mysql-servers/mariadb-program.ts";
import { findMysqlProgram } from "#tests/mysql-servers/mysql-program.ts";
import { runServer } from "#tests/mysql-servers/run-server.ts";
import { toDatabaseError } from "./database-error.ts";
import { createPool } from "./pool.ts";
import { failureOf, openPool } from "./test-pool.fixture.ts";
import { withReadTransaction, withWriteTransaction } from "./transaction.ts";

/** What an administrator may set for all sessions, with what it would do to ours. */
const SETTINGS = [
  ["sql_select_limit", "1", "cut every answer to one row"],
  ["completion_type", "1", "begin another transaction with each commit"],
  ["completion_type", "2", "end the connection with each commit"],
  ["max_join_size", "1", "refuse reads of more than one row"],
  ["sql_auto_is_null", "1", "find the row that was inserted last where a column is compared with NULL"],
] as const;

describe.each(flavorsFor("mysql"))("a session of %s whose server limits its sessions", (flavor) => {
  test("reads and writes as usual", { timeout: MYSQL_START_TIMEOUT_MS }, async () => {
    const program = flavor === "mysql" ? await findMysqlProgram(() => undefined) : findMariadbProgram();
    const server = await runServer(flavor, program);
    onTestFinished(() => server.remove());
    await onServer(server.url, async (admin) => {
      await admin.query("CREATE DATABASE shop");
      await admin.query("CREATE TABLE shop.note (id bigint AUTO_INCREMENT PRIMARY KEY, word varchar(20))");
    });
    for (const [name, value, effect] of SETTINGS) {
      const set = (text: string) => onServer(server.url, async (admin) => void (await admin.query(text)));
      await set(`SET GLOBAL ${name} = ${value}`);
      const pool = createPool({
        url: `${server.url}shop`,
        own: { database: "outbox_console", prefix: "" },
        applicationName: "test",
        readOnly: false,
        max: 1,
        statementTimeoutMs: 5000,
      });
      try {
        await withWriteTransaction(pool, async (session) => {
          await session.run("DELETE FROM note");
          await session.run("INSERT INTO note (word) VALUES ('a'), ('b'), ('c')");
        });
        const rows = await withReadTransaction(pool, 5000, (session) =>
          session.rows("SELECT a.word FROM note a JOIN note b ON b.word = a.word WHERE a.id IS NOT NULL ORDER BY 1"),
        );
        expect(rows, `${name} would ${effect}`).toEqual([["a"], ["b"], ["c"]]);
        expect(
          await withReadTransaction(pool, 5000, (session) => session.rows("SELECT 1 FROM note WHERE id IS NULL")),
        ).toEqual([]);
      } finally {
        await pool.end();
        await set(`SET GLOBAL ${name} = DEFAULT`);
      }
    }
  });
});

describe.each(flavorsFor("mysql"))("a server of %s whose init_connect fails", (flavor) => {
  test("is said to end the connections, with the setting", { timeout: MYSQL_START_TIMEOUT_MS }, async () => {
    const program = flavor === "mysql" ? await findMysqlProgram(() => undefined) : findMariadbProgram();
    const server = await runServer(flavor, program);
    onTestFinished(() => server.remove());
    await onServer(server.url, async (admin) => {
      await admin.query("CREATE USER app");
      await admin.query("SET GLOBAL init_connect = 'SELECT gone FROM no_such.table'");
    });
    const url = Object.assign(new URL(server.url), { username: "app" }).toString();
    const pool = openPool({ url, own: { database: "outbox_console" } });
    const error = await failureOf(withReadTransaction(pool, 5000, (session) => session.rows("SELECT 1")));
    expect(toDatabaseError(error, "store shop").message).toBe(
      "The server of the database of store shop ends each new connection of this user, because its setting init_connect fails. Correct it there: an administrator, who is let in, reads it with SELECT @@GLOBAL.init_connect.",
    );
  });
});
