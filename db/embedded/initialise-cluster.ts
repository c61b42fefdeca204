import { spawn } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { chown, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClusterPaths } from "./cluster-files.ts";
import { damagedError, EmbeddedPostgresError, explainFileError, stoppedError } from "./embedded-postgres-error.ts";
import { serverCommand, serverIdentity } from "./server-command.ts";

const INITDB_FLAGS = [
  "--username=postgres",
  "--auth=scram-sha-256",
  "--encoding=UTF8",
  "--no-locale",
  "--no-instructions",
];
/** Postgres 17 and later: the same UTF-8 sort order on every machine, independent of its locales. */
const BUILTIN_LOCALE = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"];

/** Excludes the caller's environment: LANG, PGDATA and similar variables change what initdb and the server do. */
export const SERVER_ENV = {
  PATH: process.env.PATH ?? "/usr/bin:/bin",
  LC_ALL: "C",
  TZ: "UTC",
} as unknown as NodeJS.ProcessEnv;

/** False if there is no data yet. Throws if the data was not made by Postgres or is incomplete. */
export function isInitialised(paths: ClusterPaths): boolean {
  if (existsSync(join(paths.data, "PG_VERSION"))) return true;
  if (!existsSync(paths.data) || isEmptyFolder(paths.data)) return false;
  throw damagedError(paths.root, "its folder data holds files, but no PG_VERSION");
}

function isEmptyFolder(path: string): boolean {
  return statSync(path).isDirectory() && readdirSync(path).length === 0;
}

/** Creates the cluster in another folder and renames it, so that a killed start leaves nothing half made. */
export async function initialiseCluster(options: {
  paths: ClusterPaths;
  initdb: string;
  password: string;
  builtinLocale: boolean;
  sync: boolean;
  signal?: AbortSignal | undefined;
}): Promise<void> {
  const { paths, initdb, password, builtinLocale, sync, signal } = options;
  const passwordFile = join(paths.root, "initial-password");
  try {
    await rm(paths.unfinished, { recursive: true, force: true });
    await mkdir(paths.unfinished, { mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600 });
    await giveToServer(paths.unfinished, passwordFile);
    const flags = [...INITDB_FLAGS, ...(builtinLocale ? BUILTIN_LOCALE : []), ...(sync ? [] : ["--no-sync"])];
    flags.push("-D", paths.unfinished, `--pwfile=${passwordFile}`);
    await runInitdb(initdb, flags, paths, signal);
    await rename(paths.unfinished, paths.data);
  } catch (error) {
    throw explainFileError(error, paths.root);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function giveToServer(...files: string[]): Promise<void> {
  const identity = serverIdentity();
  if (identity === null) return;
  for (const file of files) await chown(file, identity.uid, identity.gid);
}

async function runInitdb(initdb: string, flags: string[], paths: ClusterPaths, signal?: AbortSignal): Promise<void> {
  const { file, args, identity } = await serverCommand(initdb, flags, [paths.unfinished]);
  const output: string[] = [];
  const exit = await new Promise<number | string>((resolve, reject) => {
    const child = spawn(file, args, { env: SERVER_ENV, cwd: "/", stdio: ["ignore", "pipe", "pipe"], ...identity });
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => output.push(chunk.toString()));
    child.once("error", reject);
    child.once("close", (code, how) => resolve(code ?? how ?? "unknown"));
    const stop = () => child.kill("SIGINT");
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
  });
  if (signal?.aborted) throw stoppedError();
  if (exit === 0) return;
  const text = output.join("").trim();
  if (/No space left on device/.test(text)) throw explainFileError({ code: "ENOSPC" }, paths.root);
  throw new EmbeddedPostgresError(
    "initdb_failed",
    `Postgres could not create its data folder in ${paths.root} (initdb ended with ${exit}): ${text.split("\n").slice(-5).join(" ")}`,
  );
}
