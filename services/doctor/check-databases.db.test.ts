import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import { testDatabase } from "#tests/postgres.ts";
import { parseConfig } from "../config/load-config.ts";
import { checkDatabases } from "./check-databases.ts";

const database = testDatabase("empty");
const USER = `doctor_${process.pid}`;
let url: string;

beforeAll(async () => {
  await database().pool.query(`CREATE ROLE ${USER} LOGIN PASSWORD 'doctor'`);
  const parsed = new URL(database().url);
  [parsed.username, parsed.password] = [USER, "doctor"];
  url = parsed.toString();
});

afterEach(async () => {
  const { pool, name } = database();
  await pool.query(`ALTER ROLE ${USER} RESET ALL; ALTER ROLE ${USER} CONNECTION LIMIT -1`);
  await pool.query(`ALTER DATABASE "${name}" RESET ALL`);
  await pool.query(`ALTER DATABASE "${name}" CONNECTION LIMIT -1`);
});

afterAll(() => database().pool.query(`DROP ROLE ${USER}`));

async function doctor(mode: "observe" | "operate" | "relay"): Promise<{ bad: string[]; ok: string[] }> {
  const relay = mode === "relay" ? ", relay: { sink: out, source: cdc, notify: hints }" : "";
  const yaml = `
stores: { shop: { kind: postgres, url: "${url}" } }
outboxes: { orders: { store: shop, table: public.outbox, mode: ${mode}${relay} } }
sinks: { out: { kind: log } }`;
  const [bad, ok]: [string[], string[]] = [[], []];
  await checkDatabases(parseConfig(yaml, {}, "test"), {
    ok: (text) => ok.push(text),
    advise: (text) => ok.push(text),
    bad: (text, fix) => bad.push(`${text} | ${fix}`),
  });
  return { bad, ok };
}

test("a database that takes writes and has connections enough", async () => {
  expect(await doctor("relay")).toEqual({
    bad: [],
    ok: ["store shop: the database accepts writes", expect.stringContaining("open up to 33")],
  });
});

test.each([
  ["role", () => `ALTER ROLE ${USER} SET default_transaction_read_only = on`, /ALTER ROLE "doctor_\d+" RESET/],
  [
    "database",
    () => `ALTER DATABASE "${database().name}" SET default_transaction_read_only = on`,
    /ALTER DATABASE "test_\w+" RESET/,
  ],
])("a %s whose sessions are read-only by default: said before a write fails", async (_what, sql, fix) => {
  await database().pool.query(sql());
  const { bad } = await doctor("operate");
  expect(bad).toEqual([expect.stringMatching(/store shop: sessions are read-only/)]);
  expect(bad[0]).toMatch(fix);
  expect((await doctor("observe")).bad).toEqual([]);
});

test("a role with too few connections, with the SQL that gives them", async () => {
  await database().pool.query(`ALTER ROLE ${USER} CONNECTION LIMIT 5`);
  const { bad } = await doctor("relay");
  expect(bad).toEqual([
    `store shop, the console: the role ${USER} allows 5 connections, other programs use 0 now, and one console and one worker open up to 33 | ALTER ROLE "${USER}" CONNECTION LIMIT 33;`,
  ]);
});

test("a database with too few connections", async () => {
  const { name, pool } = database();
  await pool.query(`ALTER DATABASE "${name}" CONNECTION LIMIT 6`);
  expect((await doctor("observe")).bad).toEqual([expect.stringContaining(`ALTER DATABASE "${name}" CONNECTION LIMIT`)]);
});

test("a hot standby takes no writes, and reading it is fine", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "outbox-console-standby-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const settings = { fsync: "off", max_connections: "40" };
  await (await startEmbeddedPostgres({ dataDir, settings })).stop();
  // A cluster with this file recovers for ever, as one that follows a primary does.
  await writeFile(join(dataDir, "data", "standby.signal"), "");
  const standby = await startEmbeddedPostgres({ dataDir, settings });
  onTestFinished(() => standby.stop());
  const primary = url;
  url = standby.url;
  onTestFinished(() => {
    url = primary;
  });
  expect((await doctor("relay")).bad).toEqual([
    "store shop: the server is a standby and accepts no writes | Name the primary in its URL.",
  ]);
  expect((await doctor("observe")).bad).toEqual([]);
});
