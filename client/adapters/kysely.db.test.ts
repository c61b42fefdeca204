import { Kysely, PostgresDialect } from "kysely";
import { beforeAll } from "vitest";
import { testDatabase } from "../../tests/postgres.ts";
import { adapterSuite } from "../testing/adapter-suite.fixture.ts";
import { createTables } from "../testing/tables.fixture.ts";
import { kysely } from "./kysely.ts";

const database = testDatabase("empty");
let db: Kysely<unknown>;

beforeAll(async () => {
  await createTables(database().pool);
  db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: database().pool }) });
});

adapterSuite({
  via: kysely<unknown>(),
  diesWithConnection: true,
  db: () => db,
  outside: async (use) => {
    await use(db as never);
    const ended = await db.startTransaction().execute();
    await ended.commit().execute();
    await use(ended);
    await use(await db.transaction().execute(async (trx) => trx));
  },
});
