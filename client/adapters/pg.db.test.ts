import type { ClientBase } from "pg";
import { beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../tests/postgres.ts";
import { adapterSuite } from "../testing/adapter-suite.fixture.ts";
import { createTables } from "../testing/tables.fixture.ts";
import { pg } from "./pg.ts";

const database = testDatabase("empty");
const via = pg();

beforeAll(() => createTables(database().pool));

adapterSuite({
  via,
  db: () => database().pool,
  outside: async (use) => {
    await use(database().pool as unknown as ClientBase);
    const client = await database().pool.connect();
    try {
      await use(client);
      await client.query("BEGIN");
      await client.query("COMMIT");
      await use(client);
    } finally {
      client.release();
    }
  },
});

test("a commit that the database answers with a rollback is an error", async () => {
  const work = via.transaction(database().pool, async (tx) => {
    await tx.query("SELECT 1 / 0").catch(() => undefined);
    return "went on";
  });
  await expect(work).rejects.toThrow(/rolled back at its commit/);
});
