import { Sequelize, type Transaction } from "sequelize";
import { afterAll, beforeAll } from "vitest";
import { testDatabase } from "../../tests/postgres.ts";
import { adapterSuite } from "../testing/adapter-suite.fixture.ts";
import { createTables } from "../testing/tables.fixture.ts";
import { sequelize } from "./sequelize.ts";

const database = testDatabase("empty");
let root: Sequelize;

beforeAll(async () => {
  await createTables(database().pool);
  root = new Sequelize(database().url, { logging: false, pool: { max: 10 } });
});
afterAll(() => root.close());

adapterSuite({
  via: sequelize(),
  db: () => root,
  outside: async (use) => {
    await use(root as unknown as Transaction);
    const ended = await root.transaction();
    await ended.commit();
    await use(ended);
  },
});
