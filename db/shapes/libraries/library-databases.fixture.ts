import { beforeAll, describe } from "vitest";
import { openMysqlStore } from "#db/stores/mysql/open-mysql-store.ts";
import { openPostgresStore } from "#db/stores/postgres/open-postgres-store.ts";
import { testMysqlDatabase } from "#tests/mysql.ts";
import { testDatabase } from "#tests/postgres.ts";
import { EVERYTHING } from "#tests/test-depth.ts";
import { type LibraryCase, type LibraryDatabase, testLibraries } from "./library-case.fixture.ts";

/**
 * Each case on every engine for which it has DDL. A run without everything leaves MySQL to the libraries that have no
 * table in Postgres, and to the hand-made tables.
 */
export function testLibrariesOnAll(cases: readonly LibraryCase[]): void {
  const withDdl = (engine: LibraryDatabase["engine"]) => cases.filter(({ ddl }) => ddl[engine] !== undefined);

  describe.skipIf(withDdl("postgres").length === 0)("over Postgres", () => {
    const database = testDatabase();
    let of: LibraryDatabase;
    beforeAll(() => {
      const { url, pool } = database();
      of = {
        engine: "postgres",
        openStore: () => openPostgresStore({ name: "shop", url, applicationName: "outbox-console test" }),
        query: async (sql) => {
          const results = [
            await pool.query({ text: sql, types: { getTypeParser: () => (value: unknown) => value } }),
          ].flat();
          return results.at(-1)?.rows ?? [];
        },
        empty: async () => void (await pool.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public")),
      };
    });
    testLibraries(withDdl("postgres"), () => of);
  });

  const onMysql = withDdl("mysql").filter(({ ddl }) => EVERYTHING || ddl.postgres === undefined);
  describe.skipIf(onMysql.length === 0)("over MySQL", () => {
    const database = testMysqlDatabase("mysql");
    let of: LibraryDatabase;
    beforeAll(() => {
      const { url, own, query } = database();
      of = {
        engine: "mysql",
        openStore: () => openMysqlStore({ name: "shop", url, own, applicationName: "outbox-console test" }),
        query,
        empty: async () => {
          const tables = await query(
            "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()",
          );
          for (const { name } of tables) await query(`SET foreign_key_checks = 0; DROP TABLE \`${name}\``);
        },
      };
    });
    testLibraries(onMysql, () => of);
  });
}
