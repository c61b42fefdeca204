import { sql } from "drizzle-orm";
import { type MySql2Database, drizzle as openDrizzle } from "drizzle-orm/mysql2";
import openKnex, { type Knex } from "knex";
import { Kysely, MysqlDialect } from "kysely";
import { createPool, type Pool } from "mysql2";
import { afterAll, beforeAll, describe } from "vitest";
import { testMysqlDatabase } from "../../tests/mysql.ts";
import { createInbox } from "../inbox/create-inbox.ts";
import { createOutbox } from "../outbox/create-outbox.ts";
import { adapterSuite } from "../testing/adapter-suite.fixture.ts";
import { contractEvents } from "../testing/contract-events.ts";
import { drizzle } from "./drizzle.ts";
import { knex } from "./knex.ts";
import { kysely } from "./kysely.ts";
import { mysql2 } from "./mysql2.ts";

/** Tables of the recommended layout, and a pool, in a database of the describe's own. */
function mysqlTables(): { url(): string; pool(): Pool } {
  const database = testMysqlDatabase("mysql", "empty");
  let pool: Pool | undefined;
  beforeAll(async () => {
    await database().query(createOutbox(contractEvents, { via: mysql2() }).schema());
    await database().query(createInbox(contractEvents, { via: mysql2(), consumer: "contract" }).schema());
    pool = createPool({ uri: database().url, connectionLimit: 10 });
  });
  afterAll(() => pool?.promise().end());
  return { url: () => database().url, pool: () => pool as Pool };
}

describe("Drizzle over MySQL", () => {
  const { pool } = mysqlTables();
  adapterSuite({
    via: drizzle<MySql2Database>(sql, { dialect: "mysql" }),
    db: () => openDrizzle(pool()),
    outside: (use) => use(openDrizzle(pool()) as never),
  });
});

describe("Kysely over MySQL", () => {
  const { pool } = mysqlTables();
  let db: Kysely<unknown>;
  beforeAll(() => {
    db = new Kysely<unknown>({ dialect: new MysqlDialect({ pool: async () => pool() }) });
  });
  adapterSuite({ via: kysely<unknown>({ dialect: "mysql" }), db: () => db, outside: (use) => use(db as never) });
});

describe("Knex over MySQL", () => {
  const { url } = mysqlTables();
  let root: Knex;
  beforeAll(() => {
    root = openKnex({ client: "mysql2", connection: url(), pool: { min: 0, max: 10 } });
  });
  afterAll(() => root?.destroy());
  adapterSuite({
    via: knex({ dialect: "mysql" }),
    db: () => root,
    outside: (use) => use(root as unknown as Knex.Transaction),
  });
});
