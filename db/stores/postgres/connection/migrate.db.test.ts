import { readFileSync } from "node:fs";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { migrateConsoleSide } from "#db/records/migrate.ts";
import { createTestDatabase, testDatabase } from "#tests/postgres.ts";
import { STORE_SIDE_MIGRATIONS } from "../own-schema/migrate.ts";
import { applyMigrations } from "./migrate.ts";

const database = testDatabase("empty");
const LOCK = 0x4f42434d;

async function holdLock(applicationName: string): Promise<pg.Client> {
  const holder = new pg.Client({ connectionString: database().url, application_name: applicationName });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("SELECT pg_advisory_lock($1)", [LOCK]);
  return holder;
}

test("two migrations at once wait for each other, and each migration is applied once", async () => {
  const fresh = await createTestDatabase("empty");
  onTestFinished(() => fresh.drop());
  await Promise.all([1, 2, 3].map(() => applyMigrations(fresh.url, STORE_SIDE_MIGRATIONS)));
  const { rows } = await fresh.pool.query("SELECT hash FROM outbox_console.migration ORDER BY id");
  const journal = JSON.parse(readFileSync("drizzle/store/meta/_journal.json", "utf8")) as { entries: unknown[] };
  expect(rows).toHaveLength(journal.entries.length);
  expect(new Set(rows.map(({ hash }) => hash)).size).toBe(rows.length);
});

test("no index of our tables has another order of NULL than a query's DESC, which could then not be read from it", async () => {
  const fresh = await createTestDatabase("migrated");
  onTestFinished(() => fresh.drop());
  const { rows } = await fresh.pool.query(
    "SELECT indexname FROM pg_indexes WHERE schemaname LIKE 'outbox_console%' AND indexdef LIKE '%DESC NULLS LAST%'",
  );
  expect(rows).toEqual([]);
});

test("a migration that cannot have its lock says who holds it", async () => {
  const holder = await holdLock("somebody's migrate");
  const { rows } = await holder.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const refused = applyMigrations(database().url, STORE_SIDE_MIGRATIONS, { lockTimeoutMs: 100 });
  await expect(refused).rejects.toMatchObject({ code: "locked" });
  await expect(refused).rejects.toThrow(`pid ${rows[0]?.pid} (application "somebody's migrate"`);
  await expect(refused).rejects.toThrow("directUrl");
});

test("a migration that cannot have a table's lock changes nothing, and says so", async () => {
  const fresh = await createTestDatabase("empty");
  onTestFinished(() => fresh.drop());
  const holder = new pg.Client({ connectionString: fresh.url });
  await holder.connect();
  await holder.query(
    "CREATE SCHEMA outbox_console; CREATE TABLE outbox_console.migration (id serial PRIMARY KEY, hash text NOT NULL, created_at bigint)",
  );
  await holder.query("BEGIN; LOCK TABLE outbox_console.migration IN ROW SHARE MODE");
  await holder.query("SAVEPOINT here; LOCK TABLE outbox_console.migration IN EXCLUSIVE MODE");
  const refused = applyMigrations(fresh.url, STORE_SIDE_MIGRATIONS, { lockTimeoutMs: 100 });
  await expect(refused).rejects.toThrow(/schema outbox_console was locked by another session.*Nothing was changed/);
  await holder.end();
  await applyMigrations(fresh.url, STORE_SIDE_MIGRATIONS);
  const { rows } = await fresh.pool.query("SELECT count(*)::int AS count FROM outbox_console.migration");
  expect(rows[0]?.count).toBe(STORE_SIDE_MIGRATIONS.known);
});

test("the lock ends with the migration", async () => {
  const fresh = await createTestDatabase("empty");
  onTestFinished(() => fresh.drop());
  await migrateConsoleSide(fresh.url);
  const { rows } = await fresh.pool.query(
    "SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE datname = current_database() AND locktype = 'advisory' AND objid = $1",
    [LOCK],
  );
  expect(rows).toEqual([]);
});
