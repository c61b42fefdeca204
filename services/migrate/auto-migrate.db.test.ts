import { expect, test } from "vitest";
import { testDatabase } from "#tests/postgres.ts";
import { configSchema } from "../config/config-schema.ts";
import { autoMigrate } from "./auto-migrate.ts";

const observed = testDatabase("empty");
const operated = testDatabase("empty");

async function schemasIn(database: ReturnType<typeof observed>): Promise<string[]> {
  const { rows } = await database.pool.query(
    "SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'outbox_console%' ORDER BY 1",
  );
  return rows.map(({ name }) => name);
}

test("a worker that may migrate creates nothing in a store whose outboxes are only observed", async () => {
  const config = configSchema.parse({
    autoMigrate: true,
    stores: { look: { kind: "postgres", url: observed().url }, act: { kind: "postgres", url: operated().url } },
    outboxes: {
      looked: { store: "look", table: "public.outbox" },
      acted: { store: "act", table: "public.outbox", mode: "operate" },
    },
  });
  await autoMigrate(config, {});
  expect(await schemasIn(operated())).toEqual(["outbox_console"]);
  expect(await schemasIn(observed())).toEqual([]);
});
