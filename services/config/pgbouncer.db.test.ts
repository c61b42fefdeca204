import { expect, onTestFinished, test } from "vitest";
import { migrationError } from "#db/stores/postgres/connection/migration-error.ts";
import { migrateStoreSide } from "#db/stores/postgres/own-schema/migrate.ts";
import { OUTBOX_EVENTS_WITH_ATTEMPTS } from "#tests/factories/layouts.ts";
import { needPgBouncer, type PoolMode, startPgBouncer } from "#tests/pgbouncer.ts";
import { createTestDatabase } from "#tests/postgres.ts";
import { openRuntime } from "../runtime.ts";
import { parseConfig } from "./load-config.ts";

needPgBouncer();

async function behindPgBouncer(mode: PoolMode) {
  const database = await createTestDatabase("empty");
  const pooler = await startPgBouncer(database.url, mode);
  onTestFinished(async () => {
    await pooler.stop();
    await database.drop();
  });
  return { database, url: pooler.url };
}

test("migrating through a pooler in transaction mode leaves no lock behind, once and again", async () => {
  const { database, url } = await behindPgBouncer("transaction");
  for (let round = 0; round < 3; round += 1) await migrateStoreSide(url);
  const { rows } = await database.pool.query(
    "SELECT pid FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE datname = current_database() AND locktype = 'advisory'",
  );
  expect(rows).toEqual([]);
  await migrateStoreSide(database.url);
});

test("a pooler that allows no transactions is named with what to change", async () => {
  const { url } = await behindPgBouncer("statement");
  const error: unknown = await migrateStoreSide(url).catch((reason: unknown) => reason);
  expect(migrationError(error, "schema outbox_console in store shop", url).message).toMatch(
    /pooler in statement mode.*pool_mode = transaction/,
  );
});

async function problemsThrough(url: string): Promise<string[]> {
  const runtime = openRuntime({
    config: parseConfig(`stores: { shop: { kind: postgres, url: "${url}" } }`, {}, "test"),
    applicationName: "pooler test",
    env: {},
  });
  onTestFinished(() => runtime.close());
  return (await runtime.tables()).problems.map(({ message }) => message);
}

test("a pooler that refuses session options is named with the setting for it, which works", async () => {
  const { database, url } = await behindPgBouncer("transaction");
  await database.pool.query(OUTBOX_EVENTS_WITH_ATTEMPTS);
  expect(await problemsThrough(url)).toEqual([
    expect.stringMatching(/pooler that refuses session options.*pgbouncer=true.*directUrl/),
  ]);
  expect(await problemsThrough(`${url}?pgbouncer=true`)).toEqual([]);
});
