import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, statSync, truncateSync } from "node:fs";
import { open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { ClusterPaths } from "./cluster-files.ts";
import {
  beginAnew,
  damagedError,
  EmbeddedPostgresError,
  explainFileError,
  stoppedError,
} from "./embedded-postgres-error.ts";
import { SERVER_ENV } from "./initialise-cluster.ts";
import { serverCommand } from "./server-command.ts";
import { stopServer } from "./stop-server.ts";

export type RunningServer = { child: ChildProcess; pid: number };
export type LaunchOptions = {
  paths: ClusterPaths;
  postgres: string;
  port: number;
  url: string;
  settings: Record<string, string>;
  /** Aborts the start: the server is stopped, and the launch rejects. */
  signal?: AbortSignal | undefined;
};

const READY_WITHIN_MS = 60_000;
const LARGEST_LOG_BYTES = 5 * 1024 * 1024;

/**
 * Starts the server and resolves once it answers a query. Its log goes to a file, since the server may outlive our
 * pipes.
 */
export async function launchServer(options: LaunchOptions): Promise<RunningServer> {
  const { paths, postgres, port, settings } = options;
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const command = await serverCommand(postgres, ["-D", paths.data, "-p", String(port), ...flags], [paths.data]);
  const { descriptor, offset } = openLog(paths.log);
  // Detached: Ctrl-C reaches the whole foreground group, and the server must outlive the processes that still use it.
  const child = spawn(command.file, command.args, {
    env: SERVER_ENV,
    cwd: "/",
    detached: true,
    stdio: ["ignore", descriptor, descriptor],
    ...command.identity,
  });
  closeSync(descriptor);
  const spawnFailure = once(child, "error").then(([error]) => {
    throw explainFileError(error, postgres);
  });
  await Promise.race([once(child, "spawn"), spawnFailure]);
  spawnFailure.catch(() => undefined);
  await waitUntilReady(child, options, offset);
  return { child, pid: child.pid as number };
}

function openLog(path: string): { descriptor: number; offset: number } {
  const descriptor = openSync(path, "a", 0o600);
  if (statSync(path).size > LARGEST_LOG_BYTES) truncateSync(path, 0);
  return { descriptor, offset: statSync(path).size };
}

async function waitUntilReady(child: ChildProcess, options: LaunchOptions, logOffset: number): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw explainLog(await readLogFrom(options.paths.log, logOffset), options);
    }
    if (options.signal?.aborted) {
      await stopServer(child.pid as number);
      throw stoppedError();
    }
    const answer = await ask(options.url);
    if (answer === "ready") return;
    // A server that took the port a moment before ours answers too; ours then ends.
    if (answer !== "not yet" && (await isReady(options.paths))) {
      await stopServer(child.pid as number);
      throw answer.code === "28P01"
        ? passwordError(options.paths, answer)
        : damagedError(options.paths.root, answer.message, { cause: answer });
    }
    await delay(10);
  }
  child.kill("SIGQUIT");
  throw new EmbeddedPostgresError(
    "start_failed",
    `The embedded Postgres did not answer within ${READY_WITHIN_MS / 1000} s. Its log is ${options.paths.log}.`,
  );
}

/** True once our server says in its lock file, of which the eighth line is its status, that it accepts connections. */
async function isReady({ data }: ClusterPaths): Promise<boolean> {
  const text = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "");
  return text.split("\n")[7]?.trim() === "ready";
}

/** The server is not up yet, is starting, or has no free connection slot. */
const NOT_YET = new Set(["57P03", "53300", "ECONNREFUSED", "ECONNRESET", "EPIPE"]);

/** "ready", "not yet", or the server's error when its data is damaged and it will never answer. */
async function ask(url: string): Promise<"ready" | "not yet" | pg.DatabaseError> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("SELECT 1");
    return "ready";
  } catch (error) {
    const refused =
      error instanceof pg.DatabaseError && !NOT_YET.has(error.code ?? "") && !error.code?.startsWith("57");
    return refused ? error : "not yet";
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** For a refused password: the state file and the cluster differ. */
function passwordError(paths: ClusterPaths, cause: Error): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    "start_failed",
    `The embedded Postgres refused its own password: ${paths.state} does not belong to its data. ${beginAnew(paths.root)}`,
    { cause },
  );
}

async function readLogFrom(path: string, offset: number): Promise<string> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const start = Math.max(offset, size - 8_192);
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(Math.max(0, size - start)),
      0,
      Math.max(0, size - start),
      start,
    );
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Postgres' messages about missing or broken files in its data folder. */
const DAMAGE = new RegExp(
  [
    "could not (locate|find|open|read|access|stat) (file|directory|configuration file|the server configuration file)",
    "could not (find the database system|locate a valid checkpoint record|locate required checkpoint record)",
    "is not a valid data directory",
    "required WAL directory",
    "invalid (checkpoint|contents|data)",
    "bogus data",
    "incorrect checksum",
    "is corrupted",
    "contains unexpected",
  ].join("|"),
);

function explainLog(log: string, { paths, port }: LaunchOptions): unknown {
  if (/No space left on device/.test(log)) return explainFileError({ code: "ENOSPC" }, paths.root);
  if (/could not create any TCP\/IP sockets|Address already in use/.test(log)) {
    return new EmbeddedPostgresError("port_taken", `Port ${port}, wanted for the embedded Postgres, is taken.`);
  }
  if (/lock file ".*" already exists|shared memory block .* is still in use/.test(log)) {
    return new EmbeddedPostgresError(
      "already_running",
      `Another Postgres still holds ${paths.data}. Stop it and start again.`,
    );
  }
  const fatal = log.split("\n").filter((line) => /FATAL|PANIC|error while loading/.test(line));
  if (/database files are incompatible with server/.test(log)) {
    const versions = /DETAIL:\s+(.*)/.exec(log)?.[1] ?? "";
    return new EmbeddedPostgresError(
      "start_failed",
      `The data in ${paths.root} belongs to another version of Postgres. ${versions} ${beginAnew(paths.root)}`,
    );
  }
  const damage = log.split("\n").find((line) => DAMAGE.test(line) && !/Permission denied/.test(line));
  if (damage !== undefined)
    return damagedError(paths.root, `${damage.replace(/^.*?(FATAL|PANIC|LOG):\s+/, "")} (log: ${paths.log})`);
  const reason = fatal.slice(-2).join(" ") || log.trim().split("\n").slice(-2).join(" ") || "no output";
  return new EmbeddedPostgresError(
    "start_failed",
    `The embedded Postgres did not start: ${reason} (log: ${paths.log})`,
  );
}
