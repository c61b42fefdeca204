import postgres, { type Sql, type TransactionSql } from "postgres";
import { afterAll, beforeAll } from "vitest";
import { testDatabase } from "../../tests/postgres.ts";
import { adapterSuite } from "../testing/adapter-suite.fixture.ts";
import { createTables } from "../testing/tables.fixture.ts";
import { postgresJs } from "./postgres-js.ts";

const database = testDatabase("empty");
let sql: Sql;

beforeAll(async () => {
  await createTables(database().pool);
  sql = postgres(database().url, { max: 10, onnotice: () => undefined });
});
afterAll(() => sql.end());

adapterSuite({
  via: postgresJs(),
  diesWithConnection: true,
  forgetsStatements: true,
  db: () => sql,
  outside: async (use) => {
    await use(sql as unknown as TransactionSql);
    const reserved = await sql.reserve();
    try {
      await use(reserved as unknown as TransactionSql);
    } finally {
      reserved.release();
    }
  },
});
