import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { beforeEach } from "vitest";
import { findProgram } from "./brokers/find-program.ts";
import { findFreePort } from "./free-port.ts";
import { waitFor } from "./wait-for.ts";

export type PoolMode = "session" | "transaction" | "statement";
export type PgBouncer = {
  /** The same database, through the pooler. */
  url: string;
  stop(): Promise<void>;
};

const PROGRAM = findProgram("pgbouncer");

/** Skips a file's tests, with the reason, where PgBouncer is not installed. */
export function needPgBouncer(): void {
  beforeEach(({ skip }) => {
    if (PROGRAM === null) skip("no pgbouncer: there is no such program on this machine (apt-get install pgbouncer)");
  });
}

/** A PgBouncer private to this test in front of the database of `databaseUrl`, with a separate port and folder. */
export async function startPgBouncer(
  databaseUrl: string,
  poolMode: PoolMode = "transaction",
  more: Record<string, number> = {},
): Promise<PgBouncer> {
  if (PROGRAM === null) throw new Error("PgBouncer is not installed.");
  const target = new URL(databaseUrl);
  const folder = await mkdtemp(join(tmpdir(), "outbox-console-pgbouncer-"));
  const port = await findFreePort();
  const login = `user=${decodeURIComponent(target.username)} password=${decodeURIComponent(target.password)}`;
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "any",
    pool_mode: poolMode,
    // Server connections are kept, so that a session sees what the previous one left behind.
    server_idle_timeout: 600,
    default_pool_size: 5,
    ...more,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const ini = join(folder, "pgbouncer.ini");
  await writeFile(
    ini,
    `[databases]\n* = host=${target.hostname} port=${target.port} ${login}\n[pgbouncer]\n${lines.join("\n")}\n`,
  );
  await Promise.all([chmod(folder, 0o755), chmod(ini, 0o644)]);
  const asRoot = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const child = spawn(PROGRAM, [...asRoot, ini], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-4096);
  });
  const pooled = new URL(databaseUrl);
  pooled.host = `127.0.0.1:${port}`;
  const url = pooled.toString();
  const stop = () => stopProgram(child, folder);
  await waitFor(() => answers(url, child), { message: "PgBouncer answers" }).catch(async (cause: unknown) => {
    await stop();
    throw new Error(`PgBouncer did not answer: ${said}`, { cause });
  });
  return { url, stop };
}

async function answers(url: string, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}.`);
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("SELECT 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function stopProgram(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await gone;
  }
  await rm(folder, { recursive: true, force: true });
}
