import createKnex, { type Knex } from "knex";
import { afterAll, beforeAll } from "vitest";
import { testDatabase } from "../../tests/postgres.ts";
import { adapterSuite } from "../testing/adapter-suite.fixture.ts";
import { createTables } from "../testing/tables.fixture.ts";
import { knex } from "./knex.ts";

const database = testDatabase("empty");
let root: Knex;

beforeAll(async () => {
  await createTables(database().pool);
  root = createKnex({ client: "pg", connection: database().url, pool: { min: 0, max: 10 } });
});
afterAll(() => root.destroy());

adapterSuite({
  via: knex(),
  db: () => root,
  outside: async (use) => {
    await use(root as unknown as Knex.Transaction);
    const ended = await root.transaction();
    await ended.commit();
    await use(ended);
  },
});
