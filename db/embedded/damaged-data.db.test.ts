import { mkdir, mkdtemp, readdir, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { soundFolder } from "./sound-folder.fixture.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./start-embedded-postgres.ts";

let dataDir: string;
let server: EmbeddedPostgres | null = null;
const copySoundTo = soundFolder();
const copySound = () => copySoundTo(dataDir);

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "outbox-console-damaged-"));
});

afterEach(async () => {
  await server?.stop();
  server = null;
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

const start = (signal?: AbortSignal) =>
  startEmbeddedPostgres({ dataDir, settings: { fsync: "off" }, ...(signal ? { signal } : {}) });

/** The file of a system catalog of the database `postgres`, relative to the data folder. */
async function fileOf(relation: string): Promise<string> {
  if (!server) throw new Error("not started");
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query<{ path: string }>("SELECT pg_relation_filepath($1::regclass) AS path", [
    relation,
  ]);
  await client.end();
  return rows[0]?.path as string;
}

const inData = (...path: string[]) => join(dataDir, "data", ...path);

const DAMAGES: [string, () => Promise<void>][] = [
  ["PG_VERSION is gone", () => rm(inData("PG_VERSION"))],
  [
    "only something else is in the place of the data",
    async () => {
      await rm(inData(), { recursive: true });
      await mkdir(inData());
      await writeFile(inData("leftover"), "");
    },
  ],
  ["global/pg_control is gone", () => rm(inData("global", "pg_control"))],
  ["global/pg_control is empty", () => truncate(inData("global", "pg_control"))],
  [
    "the log is gone",
    async () => {
      for (const name of await readdir(inData("pg_wal"))) await rm(inData("pg_wal", name), { recursive: true });
    },
  ],
  ["postgresql.conf is gone", () => rm(inData("postgresql.conf"))],
  ["pg_hba.conf is gone", () => rm(inData("pg_hba.conf"))],
  ["the databases are gone", () => rm(inData("base"), { recursive: true })],
  ["the list of files is gone", () => rm(inData("global", "pg_filenode.map"))],
  ["PG_VERSION says nothing", () => truncate(inData("PG_VERSION"))],
];

test.each(DAMAGES)("%s: said at once, with what to remove and what is lost", async (_name, damage) => {
  await copySound();
  await damage();
  const error: unknown = await start().then(
    (started) => {
      server = started;
      return null;
    },
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EmbeddedPostgresError);
  expect(error).toMatchObject({ code: "damaged" });
  expect((error as Error).message).toContain(`delete it to start with an empty database`);
  expect((error as Error).message).toContain(dataDir);
});

test("a system catalog that is cut off is said at once, and not after a minute of silence", async () => {
  await copySound();
  server = await start();
  const path = await fileOf("pg_class");
  await server.stop();
  server = null;
  await truncate(inData(path));
  await expect(start()).rejects.toMatchObject({ code: "damaged" });
});

test("a password file that belongs to other data names both and what is lost", async () => {
  await copySound();
  await rm(join(dataDir, "embedded.json"));
  await expect(start()).rejects.toThrow(/does not belong to its data.*delete it to start with an empty database/);
});

test("an aborted start leaves no server, and the next one works", async () => {
  const stopping = new AbortController();
  const starting = start(stopping.signal);
  stopping.abort();
  await expect(starting).rejects.toMatchObject({ code: "stopped" });
  await expect(readdir(join(dataDir, "data", "postmaster.pid"))).rejects.toMatchObject({ code: "ENOENT" });
  server = await start();
  expect(server.pid).toBeGreaterThan(0);
  await server.stop();
  const again = new AbortController();
  const second = start(again.signal);
  again.abort();
  await expect(second).rejects.toMatchObject({ code: "stopped" });
});
