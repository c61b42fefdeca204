import pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase, testDatabase } from "./postgres.ts";

const database = testDatabase();

test("clones a database with both of our schemas", async () => {
  const { rows } = await database().pool.query(
    "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'outbox_console%' ORDER BY nspname",
  );
  expect(rows.map((row) => row.nspname)).toEqual(["outbox_console", "outbox_console_app"]);
});

test("gives a database without our schemas for foreign tables", async () => {
  const foreign = await createTestDatabase("empty");
  const { rows } = await foreign.pool.query("SELECT 1 FROM pg_namespace WHERE nspname LIKE 'outbox_console%'");
  expect(rows).toEqual([]);
  await foreign.drop();
});

test("names a connection left open, and still drops the database", async () => {
  const leaky = await createTestDatabase("empty");
  const client = new pg.Client({ connectionString: leaky.url, application_name: "forgetful" });
  client.on("error", () => undefined);
  await client.connect();
  await client.query("SELECT 42");
  await expect(leaky.drop(500)).rejects.toThrow(/1 connection\(s\) were left open: "forgetful" \(last: SELECT 42\)/);
  const { rows } = await database().pool.query("SELECT 1 FROM pg_database WHERE datname = $1", [leaky.name]);
  expect(rows).toEqual([]);
});
