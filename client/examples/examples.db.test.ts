import { MikroORM as MysqlMikroORM } from "@mikro-orm/mysql";
import { MikroORM } from "@mikro-orm/postgresql";
import { drizzle as openDrizzle } from "drizzle-orm/node-postgres";
import openKnex from "knex";
import { Kysely, PostgresDialect } from "kysely";
import { createPool } from "mysql2/promise";
import openPostgresJs from "postgres";
import { Sequelize } from "sequelize";
import { DataSource } from "typeorm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testMysqlDatabase } from "../../tests/mysql.ts";
import { testDatabase } from "../../tests/postgres.ts";
import { mysql2 } from "../adapters/mysql2.ts";
import { pg } from "../adapters/pg.ts";
import { createInbox } from "../inbox/create-inbox.ts";
import type { ReceivedMessage } from "../messages/received-message.ts";
import { createOutbox } from "../outbox/create-outbox.ts";
import { openPrisma } from "../testing/prisma-client.fixture.ts";
import { openMysqlPrisma } from "../testing/prisma-mysql-client.fixture.ts";
import { POSTGRES_TABLES } from "../testing/tables.fixture.ts";
import { type OutboxUnderTest, testOutbox } from "../testing/test-outbox.ts";
import * as overDrizzle from "./drizzle.ts";
import { events, type Order } from "./events.ts";
import * as overKnex from "./knex.ts";
import * as overKysely from "./kysely.ts";
import * as overMikroOrm from "./mikro-orm.ts";
import * as mysqlMikroOrm from "./mysql/mikro-orm.ts";
import * as mysqlPrisma from "./mysql/prisma.ts";
import * as mysqlSequelize from "./mysql/sequelize.ts";
import * as mysqlTypeorm from "./mysql/typeorm.ts";
import * as overMysql2 from "./mysql2.ts";
import * as overPg from "./pg.ts";
import * as overPostgresJs from "./postgres-js.ts";
import * as overPrisma from "./prisma.ts";
import * as overSequelize from "./sequelize.ts";
import * as overTypeorm from "./typeorm.ts";

interface Example<Db> {
  placeOrder(db: Db, order: Order): Promise<unknown>;
  bill(db: Db, message: ReceivedMessage): Promise<unknown>;
}

const ORDER = { orderId: "ord-1", total: 12, email: "a@example.com" };
const BUSINESS = [
  "CREATE TABLE orders (id varchar(64) PRIMARY KEY, total integer NOT NULL)",
  "CREATE TABLE invoices (order_id varchar(64) NOT NULL, total integer NOT NULL)",
];

/** An order is placed, refused the second time, and billed once although its event arrives three times. */
async function tryOut<Db>(example: Example<Db>, db: Db, kit: OutboxUnderTest<typeof events>) {
  await example.placeOrder(db, ORDER);
  await expect(example.placeOrder(db, ORDER)).rejects.toThrow();
  expect(await kit.events()).toHaveLength(1);
  await kit.expectAdded("order.placed", { total: 12 });
  await kit.deliverTo((message) => example.bill(db, message), { duplicates: 2 });
}

describe("the ten lines of", () => {
  const database = testDatabase("empty");
  const kit = () => testOutbox(createOutbox(events, { via: pg() }), database().pool);

  beforeAll(() => database().pool.query(`${POSTGRES_TABLES}${BUSINESS.join(";")}`));
  beforeEach(() => database().pool.query("TRUNCATE orders, invoices, outbox, inbox"));

  const check = async <Db>(example: Example<Db>, db: Db, close: () => Promise<unknown> = async () => undefined) => {
    try {
      await tryOut(example, db, kit());
    } finally {
      await close();
    }
    const { rows } = await database().pool.query("SELECT order_id, total FROM invoices");
    expect(rows).toEqual([{ order_id: "ord-1", total: 12 }]);
  };

  test("pg", () => check(overPg, database().pool));

  test("postgres.js", () => {
    const sql = openPostgresJs(database().url, { max: 2 });
    return check(overPostgresJs, sql, () => sql.end());
  });

  test("Drizzle", () => check(overDrizzle, openDrizzle(database().pool)));

  test("Kysely", () => check(overKysely, new Kysely({ dialect: new PostgresDialect({ pool: database().pool }) })));

  test("Knex", () => {
    const knex = openKnex({ client: "pg", connection: database().url, pool: { min: 0, max: 2 } });
    return check(overKnex, knex, () => knex.destroy());
  });

  test("Prisma", () => {
    const prisma = openPrisma(database().url);
    return check(overPrisma, prisma, () => prisma.$disconnect());
  });

  test("TypeORM", async () => {
    const entities = [overTypeorm.OrderEntity, overTypeorm.InvoiceEntity];
    const source = await new DataSource({ type: "postgres", url: database().url, entities }).initialize();
    await check(overTypeorm, source, () => source.destroy());
  });

  test("MikroORM", async () => {
    const entities = [overMikroOrm.OrderEntity, overMikroOrm.InvoiceEntity];
    const orm = await MikroORM.init({ clientUrl: database().url, entities });
    await check(overMikroOrm, orm.em, () => orm.close());
  });

  test("Sequelize", () => {
    const sequelize = new Sequelize(database().url, { logging: false });
    return check(overSequelize, sequelize, () => sequelize.close());
  });
});

describe("the ten lines over MySQL of", () => {
  const database = testMysqlDatabase("mysql", "empty");
  const inbox = createInbox(events, { via: mysql2(), consumer: "billing" });
  const outbox = createOutbox(events, { via: mysql2() });

  beforeAll(async () => {
    for (const ddl of [outbox.schema(), inbox.schema(), ...BUSINESS]) await database().query(ddl);
  });
  beforeEach(async () => {
    for (const table of ["orders", "invoices", "outbox", "inbox"]) await database().query(`TRUNCATE ${table}`);
  });

  const check = async <Db>(example: Example<Db>, db: Db, close: () => Promise<unknown>) => {
    const pool = createPool({ uri: database().url });
    try {
      await tryOut(example, db, testOutbox(outbox, pool));
    } finally {
      await close();
      await pool.end();
    }
    expect(await database().query("SELECT order_id, total FROM invoices")).toEqual([
      { order_id: "ord-1", total: "12" },
    ]);
  };

  test("mysql2", () => {
    const pool = createPool({ uri: database().url });
    return check(overMysql2, pool, () => pool.end());
  });

  test("Prisma", () => {
    const prisma = openMysqlPrisma(database().url);
    return check(mysqlPrisma, prisma, () => prisma.$disconnect());
  });

  test("TypeORM", async () => {
    const entities = [mysqlTypeorm.OrderEntity, mysqlTypeorm.InvoiceEntity];
    const options = { type: "mysql", url: database().url, entities } as const;
    const source = await new DataSource(options).initialize();
    await check(mysqlTypeorm, source, () => source.destroy());
  });

  test("MikroORM", async () => {
    const entities = [mysqlMikroOrm.OrderEntity, mysqlMikroOrm.InvoiceEntity];
    const orm = await MysqlMikroORM.init({ clientUrl: database().url, entities });
    await check(mysqlMikroOrm, orm.em, () => orm.close());
  });

  test("Sequelize", () => {
    const sequelize = new Sequelize(database().url, { dialect: "mysql", logging: false });
    return check(mysqlSequelize, sequelize, () => sequelize.close());
  });
});

describe("the test kit", () => {
  const database = testDatabase("empty");
  beforeAll(() => database().pool.query(`${POSTGRES_TABLES}${BUSINESS.join(";")}`));

  test("says what is there when an expectation fails", async () => {
    const kit = testOutbox(createOutbox(events, { via: pg() }), database().pool);
    await kit.none();
    await expect(kit.expectAdded("order.placed")).rejects.toThrow(
      "0 events are order.placed, and one was expected. The outbox has no event.",
    );
    await overPg.placeOrder(database().pool, ORDER);
    await expect(kit.expectAdded("order.placed", { total: 13 })).rejects.toThrow(
      /The outbox has:\n {2}order.placed .*"total": ?12/,
    );
    await expect(kit.none()).rejects.toThrow(/should be no event/);
    await kit.forget();
    await kit.none("order.placed");
  });
});
