import { DataSource } from "typeorm";
import { afterAll, beforeAll } from "vitest";
import { testDatabase } from "../../tests/postgres.ts";
import { adapterSuite } from "../testing/adapter-suite.fixture.ts";
import { createTables } from "../testing/tables.fixture.ts";
import { typeorm } from "./typeorm.ts";

const database = testDatabase("empty");
let source: DataSource;

beforeAll(async () => {
  await createTables(database().pool);
  source = await new DataSource({ type: "postgres", url: database().url }).initialize();
});
afterAll(() => source.destroy());

adapterSuite({
  via: typeorm(),
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
