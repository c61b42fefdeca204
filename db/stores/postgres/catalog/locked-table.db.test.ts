import pg from "pg";
import { expect, test } from "vitest";
import { testDatabase } from "#tests/postgres.ts";
import { type CatalogMemory, readCatalog } from "./read-catalog.ts";

const TABLES = `
CREATE TABLE locked (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), state text CHECK (state IN ('new', 'sent')));
CREATE TABLE parted (id int DEFAULT 1, day date) PARTITION BY RANGE (day);
CREATE TABLE parted_all PARTITION OF parted DEFAULT;
CREATE TABLE other (id int PRIMARY KEY)`;

const database = testDatabase("empty");

test("a table that somebody locks for a change is as it was, and hides no change of another one", async () => {
  const { pool, url } = database();
  const [locker, reader] = [1, 2].map(() => new pg.Client({ connectionString: url })) as [pg.Client, pg.Client];
  await Promise.all([locker.connect(), reader.connect()]);
  try {
    await reader.query("SET lock_timeout = 200");
    await pool.query(TABLES);
    const memory: CatalogMemory = new Map();
    const before = await readCatalog(reader, undefined, memory);
    await pool.query("ALTER TABLE other RENAME COLUMN id TO number");
    await locker.query("BEGIN; LOCK TABLE locked, parted_all");
    await locker.query("ALTER TABLE locked ADD COLUMN note text");
    const during = await readCatalog(reader, undefined, memory);
    const named = (tables: typeof before, name: string) => tables.find((table) => table.name === name);
    expect(named(during, "locked")).toEqual(named(before, "locked"));
    expect(named(during, "parted")).toEqual(named(before, "parted"));
    expect(named(during, "other")?.columns.map(({ name }) => name)).toEqual(["number"]);
    await expect(readCatalog(reader, undefined, new Map())).rejects.toMatchObject({ code: "55P03" });
    await locker.query("COMMIT");
    const after = await readCatalog(reader, undefined, memory);
    expect(named(after, "locked")?.columns.map(({ name }) => name)).toEqual(["id", "state", "note"]);
  } finally {
    await Promise.all([locker.end(), reader.end()]);
  }
});
