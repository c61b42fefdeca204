import { describe, expect, onTestFinished, test } from "vitest";
import { messageOf } from "#domain/errors.ts";
import { testDatabase } from "#tests/postgres.ts";
import { configSchema } from "../config/config-schema.ts";
import { autoMigrate, migrateStore } from "./auto-migrate.ts";

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

describe("a store whose user may not create tables", () => {
  const user = `reader_${process.pid}`;
  /** The store over a URL of a user who may connect and read only. */
  const storeFor = async (database: ReturnType<typeof observed>, mode: "observe" | "operate") => {
    await database.pool.query(`CREATE ROLE ${user} LOGIN PASSWORD 'reader'`);
    onTestFinished(async () => void (await database.pool.query(`DROP OWNED BY ${user}; DROP ROLE ${user}`)));
    const url = Object.assign(new URL(database.url), { username: user, password: "reader" }).toString();
    return configSchema.parse({
      stores: { shop: { kind: "postgres", url } },
      outboxes: { orders: { store: "shop", table: "public.outbox", mode } },
    });
  };

  test("is told that nothing is missing where its outboxes are only observed", async () => {
    const error = await migrateStore(await storeFor(observed(), "observe"), "shop").catch(messageOf);
    expect(error).toMatch(/: the database user may not create it\. .* GRANT CREATE ON DATABASE/);
    expect(error).toMatch(/The outboxes of store shop are only observed, which needs none of our tables: .*\.$/);
  });

  test("is told what to grant, and no more, where one is operated", async () => {
    const error = await migrateStore(await storeFor(observed(), "operate"), "shop").catch(messageOf);
    expect(error).toMatch(/may not create it\. Run it with a URL that may, or: GRANT CREATE ON DATABASE \S+ TO \S+;$/);
  });

  test("is not told to create what another user has created", async () => {
    const config = await storeFor(operated(), "operate");
    const error = await migrateStore(config, "shop").catch(messageOf);
    expect(error).toContain("a part of it belongs to another user (permission denied for schema outbox_console)");
    expect(error).not.toContain("GRANT CREATE");
  });
});
