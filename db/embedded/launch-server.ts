import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, statSync, truncateSync } from "node:fs";
import { open } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { ClusterPaths } from "./cluster-files.ts";
import { EmbeddedPostgresError, explainFileError } from "./embedded-postgres-error.ts";
import { SERVER_ENV } from "./initialise-cluster.ts";
import { serverCommand } from "./server-command.ts";

export type RunningServer = { child: ChildProcess; pid: number };
export type LaunchOptions = {
  paths: ClusterPaths;
  postgres: string;
  port: number;
  url: string;
  settings: Record<string, string>;
};

const READY_WITHIN_MS = 60_000;
const LARGEST_LOG_BYTES = 5 * 1024 * 1024;

/** Starts the server and resolves once it answers a query. What it says goes to a file, so that it outlives our pipes. */
export async function launchServer(options: LaunchOptions): Promise<RunningServer> {
  const { paths, postgres, port, settings } = options;
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const command = await serverCommand(postgres, ["-D", paths.data, "-p", String(port), ...flags], [paths.data]);
  const { descriptor, offset } = openLog(paths.log);
  // Detached: Ctrl-C reaches the whole foreground group, and the server must outlive those who still use it.
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
    if (await answers(options.url)) return;
    await delay(10);
  }
  child.kill("SIGQUIT");
  throw new EmbeddedPostgresError(
    "start_failed",
    `The embedded Postgres did not answer within ${READY_WITHIN_MS / 1000} s. Its log is ${options.paths.log}.`,
  );
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("SELECT 1");
    return true;
  } catch (error) {
    // Another server on our port would refuse the password; ours says so only when the file and the cluster differ.
    if ((error as { code?: string }).code === "28P01") {
      throw new EmbeddedPostgresError(
        "start_failed",
        "The embedded Postgres refused its own password: its embedded.json does not belong to its data. Restore it, or remove the data folder to begin with an empty database.",
        { cause: error },
      );
    }
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
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
  const reason = fatal.slice(-2).join(" ") || log.trim().split("\n").slice(-2).join(" ") || "it said nothing";
  return new EmbeddedPostgresError(
    "start_failed",
    `The embedded Postgres did not start: ${reason} (log: ${paths.log})`,
  );
}
