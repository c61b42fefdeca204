import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { clusterPaths } from "./cluster-files.ts";
import { findFreePort } from "./free-port.ts";
import { launchServer } from "./launch-server.ts";
import { findPlatformBinaries } from "./platform-binaries.ts";
import { readProcessProgram } from "./process-identity.mjs";
import { soundFolder } from "./sound-folder.fixture.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./start-embedded-postgres.ts";

let dataDir: string;
let server: EmbeddedPostgres | null = null;
let parent: ChildProcess | null = null;
const copySoundTo = soundFolder();

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "outbox-console-embedded-"));
  await copySoundTo(dataDir);
});

afterEach(async () => {
  parent?.kill("SIGKILL");
  await server?.stop();
  [server, parent] = [null, null];
  // A killed server's helper processes may still write to its files.
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

async function start(): Promise<EmbeddedPostgres> {
  server = await startEmbeddedPostgres({ dataDir, settings: { fsync: "off" } });
  return server;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe("in a folder that is empty", () => {
  beforeEach(async () => {
    await rm(dataDir, { recursive: true });
    await mkdir(dataDir);
  });

  test("starts with logical decoding, UTF-8 and a password, on loopback only", async () => {
    const { url, port } = await start();
    const [row] = await query(
      url,
      "SELECT current_setting('wal_level') AS wal, current_setting('server_encoding') AS encoding, current_setting('listen_addresses') AS listen",
    );
    expect(row).toEqual({ wal: "logical", encoding: "UTF8", listen: "127.0.0.1" });
    await expect(query(`postgres://postgres:wrong@127.0.0.1:${port}/postgres`, "SELECT 1")).rejects.toThrow(/password/);
    expect((await stat(join(dataDir, "embedded.json"))).mode & 0o777).toBe(0o600);
  });
});

test("keeps data, port and password over a restart", async () => {
  const first = await start();
  await query(first.url, "CREATE TABLE kept (id int); INSERT INTO kept VALUES (7)");
  await first.stop();
  const second = await start();
  expect(second.url).toBe(first.url);
  expect(await query(second.url, "SELECT id FROM kept")).toEqual([{ id: 7 }]);
});

test("leaves no process behind when stopped", async () => {
  const { pid, stop } = await start();
  await stop();
  expect(readProcessProgram(pid)).toBeNull();
});

test("recovers committed rows after the server was killed", async () => {
  const first = await start();
  await query(first.url, "CREATE TABLE kept (id int); INSERT INTO kept VALUES (8)");
  process.kill(first.pid, "SIGKILL");
  await first.exited;
  const second = await start();
  expect(await query(second.url, "SELECT id FROM kept")).toEqual([{ id: 8 }]);
});

test.each([
  ["with the kernel's help", process.env.PATH],
  ["where setpriv is not installed", "/nowhere"],
])("takes over from a parent that was killed, %s", async (_name, path) => {
  parent = spawnParent(path);
  const first = JSON.parse(await firstLine(parent)) as { url: string; pid: number };
  await query(first.url, "CREATE TABLE kept (id int); INSERT INTO kept VALUES (9)");
  parent.kill("SIGKILL");
  await once(parent, "exit");
  const second = await start();
  expect(second.pid).not.toBe(first.pid);
  expect(await query(second.url, "SELECT id FROM kept")).toEqual([{ id: 9 }]);
  await waitFor(() => readProcessProgram(first.pid) === null, { message: "the orphan has ended" });
});

test("refuses a folder that another live process is using", async () => {
  parent = spawnParent(process.env.PATH);
  await firstLine(parent);
  await expect(start()).rejects.toThrow(`is in use by process ${parent.pid}`);
});

test("refuses a second start in the same process", async () => {
  await start();
  await expect(startEmbeddedPostgres({ dataDir, settings: { fsync: "off" } })).rejects.toMatchObject({
    code: "already_running",
  });
});

test("a server that took the port a moment before is not taken for ours", async () => {
  const { port } = await start();
  const folder = await mkdtemp(join(tmpdir(), "outbox-console-embedded-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  await copySoundTo(folder);
  const { postgres } = await findPlatformBinaries();
  const settings = { listen_addresses: "127.0.0.1", unix_socket_directories: "", fsync: "off" };
  const url = `postgres://postgres:of-the-other@127.0.0.1:${port}/postgres`;
  const launched = launchServer({ paths: clusterPaths(folder), postgres, port, url, settings });
  await expect(launched).rejects.toMatchObject({ code: "port_taken" });
});

test("moves to another port when the remembered one is taken, but not from a configured port", async () => {
  const first = await start();
  await first.stop();
  const squatter = createServer().listen(first.port, "127.0.0.1");
  await once(squatter, "listening");
  try {
    await expect(startEmbeddedPostgres({ dataDir, port: first.port })).rejects.toMatchObject({ code: "port_taken" });
    expect((await start()).port).not.toBe(first.port);
  } finally {
    squatter.close();
  }
});

test("uses the configured port", async () => {
  const port = await findFreePort();
  server = await startEmbeddedPostgres({ dataDir, port, settings: { fsync: "off" } });
  expect(server.port).toBe(port);
});

test("removes a lock file whose pid now belongs to another program", async () => {
  await (await start()).stop();
  const lockFile = join(dataDir, "data", "postmaster.pid");
  await writeFile(lockFile, `${process.pid}\n${dataDir}\n`);
  const { pid } = await start();
  expect(await readFile(lockFile, "utf8")).toMatch(new RegExp(`^${pid}\n`));
});

test("says where to look when Postgres refuses its settings", async () => {
  const refused = startEmbeddedPostgres({ dataDir, settings: { shared_buffers: "plenty" } });
  await expect(refused).rejects.toThrow(/did not start: .*shared_buffers.*server\.log/);
});

function spawnParent(path: string | undefined): ChildProcess {
  const program = `
    import { startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
    const { url, pid } = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} });
    console.log(JSON.stringify({ url, pid }));`;
  return spawn(process.execPath, ["--input-type=module-typescript", "-e", program], {
    env: { ...process.env, PATH: path },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function firstLine(child: ChildProcess): Promise<string> {
  let text = "";
  for await (const chunk of child.stdout ?? []) {
    text += chunk;
    if (text.includes("\n")) return text.split("\n")[0] as string;
  }
  throw new Error("The parent ended before it said anything.");
}
