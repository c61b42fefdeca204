import { type EntityManager, EntitySchema, MikroORM } from "@mikro-orm/mysql";
import { sql } from "drizzle-orm";
import { type MySql2Database, drizzle as openDrizzle } from "drizzle-orm/mysql2";
import openKnex, { type Knex } from "knex";
import { Kysely, MysqlDialect } from "kysely";
import { createPool, type Pool } from "mysql2";
import { Sequelize, type Transaction } from "sequelize";
import { DataSource } from "typeorm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testMysqlDatabase } from "../../tests/mysql.ts";
import { createInbox } from "../inbox/create-inbox.ts";
import { createOutbox } from "../outbox/create-outbox.ts";
import { adapterSuite } from "../testing/adapter-suite.fixture.ts";
import { contractEvents } from "../testing/contract-events.ts";
import { deadlockSuite } from "../testing/deadlock-suite.fixture.ts";
import { contractMessage } from "../testing/inbox-contract.ts";
import type { PrismaClient } from "../testing/prisma-client.fixture.ts";
import { openMysqlPrisma } from "../testing/prisma-mysql-client.fixture.ts";
import { drizzle } from "./drizzle.ts";
import { knex } from "./knex.ts";
import { kysely } from "./kysely.ts";
import { mikroOrm } from "./mikro-orm.ts";
import { mysql2 } from "./mysql2.ts";
import { prisma } from "./prisma.ts";
import { sequelize } from "./sequelize.ts";
import { typeorm } from "./typeorm.ts";

/** Tables of the recommended layout and a pool, in a separate database for the describe. */
function mysqlTables() {
  const database = testMysqlDatabase("mysql", "empty");
  let pool: Pool | undefined;
  beforeAll(async () => {
    await database().query(createOutbox(contractEvents, { via: mysql2() }).schema());
    await database().query(createInbox(contractEvents, { via: mysql2(), consumer: "contract" }).schema());
    pool = createPool({ uri: database().url, connectionLimit: 10 });
  });
  afterAll(() => pool?.promise().end());
  return { database, url: () => database().url, pool: () => pool as Pool };
}

describe("Drizzle over MySQL", () => {
  const { database, pool } = mysqlTables();
  adapterSuite({
    via: drizzle<MySql2Database>(sql, { dialect: "mysql" }),
    db: () => openDrizzle(pool()),
    outside: async (use) => {
      const db = openDrizzle(pool());
      await use(db as never);
      await use(await db.transaction(async (tx) => tx));
    },
  });
  deadlockSuite({ via: drizzle<MySql2Database>(sql, { dialect: "mysql" }), db: () => openDrizzle(pool()), database });
  test("a db of one connection is refused: deliveries at the same time would be one transaction", async () => {
    const via = drizzle<MySql2Database>(sql, { dialect: "mysql" });
    const inbox = createInbox(contractEvents, { via, consumer: "one" });
    const connection = await pool().promise().getConnection();
    try {
      const db = openDrizzle({ client: connection as unknown as Pool });
      const once = inbox.once(db, contractMessage(), async () => "done");
      await expect(once).rejects.toMatchObject({ code: "invalid_input", message: expect.stringContaining("a pool") });
    } finally {
      connection.release();
    }
  });
});

describe("Kysely over MySQL", () => {
  const { database, pool } = mysqlTables();
  let db: Kysely<unknown>;
  beforeAll(() => {
    db = new Kysely<unknown>({ dialect: new MysqlDialect({ pool: async () => pool() }) });
  });
  adapterSuite({
    via: kysely<unknown>({ dialect: "mysql" }),
    db: () => db,
    outside: async (use) => {
      await use(db as never);
      await use(await db.transaction().execute(async (trx) => trx));
    },
  });
  deadlockSuite({ via: kysely<unknown>({ dialect: "mysql" }), db: () => db, database });
});

describe("Knex over MySQL", () => {
  const { database, url } = mysqlTables();
  let root: Knex;
  beforeAll(() => {
    root = openKnex({ client: "mysql2", connection: url(), pool: { min: 0, max: 10 } });
  });
  afterAll(() => root?.destroy());
  adapterSuite({
    via: knex({ dialect: "mysql" }),
    db: () => root,
    outside: async (use) => {
      await use(root as unknown as Knex.Transaction);
      await use(await root.transaction(async (trx) => ({ trx })).then(({ trx }) => trx));
    },
  });
  deadlockSuite({ via: knex({ dialect: "mysql" }), db: () => root, database });
});

describe("TypeORM over MySQL", () => {
  const { database, url } = mysqlTables();
  let source: DataSource;
  beforeAll(async () => {
    source = await new DataSource({ type: "mysql", url: url() }).initialize();
  });
  afterAll(() => source?.destroy());
  adapterSuite({
    via: typeorm({ dialect: "mysql" }),
    db: () => source,
    outside: async (use) => {
      await use(source.manager);
      const runner = source.createQueryRunner();
      try {
        await use(runner.manager);
        await runner.startTransaction();
        await runner.commitTransaction();
        await use(runner.manager);
      } finally {
        await runner.release();
      }
    },
  });
  deadlockSuite({ via: typeorm({ dialect: "mysql" }), db: () => source, database });
});

describe("Sequelize over MySQL", () => {
  const { database, url } = mysqlTables();
  let root: Sequelize;
  beforeAll(() => {
    root = new Sequelize(url(), { dialect: "mysql", logging: false, pool: { max: 10 } });
  });
  afterAll(() => root?.close());
  adapterSuite({
    via: sequelize({ dialect: "mysql" }),
    db: () => root,
    outside: async (use) => {
      await use(root as unknown as Transaction);
      const ended = await root.transaction();
      await ended.commit();
      await use(ended);
    },
  });
  deadlockSuite({ via: sequelize({ dialect: "mysql" }), db: () => root, database });
});

describe("MikroORM over MySQL", () => {
  const { database, url } = mysqlTables();
  let orm: MikroORM;
  beforeAll(async () => {
    const Order = new EntitySchema<{ id: string }>({
      name: "Order",
      properties: { id: { type: "string", primary: true } },
    });
    orm = await MikroORM.init({ clientUrl: url(), entities: [Order], pool: { max: 10 } });
  });
  afterAll(() => orm?.close());
  adapterSuite({
    via: mikroOrm<EntityManager>({ dialect: "mysql" }),
    db: () => orm.em,
    outside: async (use) => {
      await use(orm.em);
      const em = orm.em.fork();
      await em.begin();
      await em.commit();
      await use(em);
      await use(await orm.em.fork().transactional(async (tx) => tx));
    },
  });
  deadlockSuite({ via: mikroOrm<EntityManager>({ dialect: "mysql" }), db: () => orm.em, database });
});

describe("Prisma over MySQL", () => {
  const { database, url } = mysqlTables();
  let client: PrismaClient;
  beforeAll(() => {
    client = openMysqlPrisma(url());
  });
  afterAll(() => client?.$disconnect());
  adapterSuite({
    via: prisma<PrismaClient>({ dialect: "mysql" }),
    db: () => client,
    outside: async (use) => {
      await use(client);
      await use(await client.$transaction(async (tx) => ({ tx })).then(({ tx }) => tx));
    },
  });
  deadlockSuite({ via: prisma<PrismaClient>({ dialect: "mysql" }), db: () => client, database });
});
