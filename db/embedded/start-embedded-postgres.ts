import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { clearPreviousServer } from "./clear-previous-server.ts";
import { type ClusterState, clusterPaths, prepareRoot, readClusterState, writeClusterState } from "./cluster-files.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { findFreePort, isPortFree } from "./free-port.ts";
import { initialiseCluster, isInitialised } from "./initialise-cluster.ts";
import { type LaunchOptions, launchServer, type RunningServer } from "./launch-server.ts";
import { findPlatformBinaries, type PostgresRelease } from "./platform-binaries.ts";
import { readProcessStart } from "./process-identity.mjs";
import { stopServer } from "./stop-server.ts";

export type EmbeddedPostgres = {
  /** Superuser URL of the database `postgres`; includes the password. */
  url: string;
  port: number;
  pid: number;
  /** Resolves when the server has exited, for any reason. */
  exited: Promise<void>;
  stop(): Promise<void>;
};

export type EmbeddedPostgresOptions = {
  /** Created if missing. Contains the data, the password (0600), the remembered port and the server's log. */
  dataDir: string;
  /** Default: the last start's port if it is free, otherwise any free port. */
  port?: number;
  settings?: Record<string, string>;
  /** Default: the newest. */
  release?: PostgresRelease;
  onProgress?: (sentence: string) => void;
  /** Aborts the start, which then rejects with the code `stopped` and leaves no server. */
  signal?: AbortSignal;
};

const SETTINGS: Record<string, string> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  wal_level: "logical",
  max_wal_senders: "20",
  max_replication_slots: "20",
  max_connections: "200",
  timezone: "UTC",
  log_timezone: "UTC",
};
const RETRY_WITHIN_MS = 15_000;

/**
 * Starts the real Postgres that npm installed, on loopback only, and keeps its data between starts.
 * @throws EmbeddedPostgresError with a sentence for the person at the terminal
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const progress = options.onProgress ?? (() => undefined);
  const settings = { ...SETTINGS, ...options.settings };
  const paths = clusterPaths(options.dataDir);
  const binaries = await findPlatformBinaries(options.release);
  await prepareRoot(paths);

  const remembered = await readClusterState(paths);
  await clearPreviousServer(paths, remembered);
  const owner = { pid: process.pid, startedAt: readProcessStart(process.pid) };
  const state: ClusterState = { ...remembered, owner };
  await writeClusterState(paths, state);

  try {
    if (!isInitialised(paths)) {
      progress("Creating a new Postgres data folder");
      await initialiseCluster({
        paths,
        initdb: binaries.initdb,
        builtinLocale: options.release !== "14",
        password: state.password,
        sync: settings.fsync !== "off",
        signal: options.signal,
      });
    }
    progress("Starting Postgres");
    const launch = { paths, postgres: binaries.postgres, settings, signal: options.signal };
    const { server, port, url } = await launchOnSomePort(launch, options.port, state);
    await writeClusterState(paths, { ...state, port });
    return handle(server, port, url, () => writeClusterState(paths, { ...state, port, owner: null }));
  } catch (error) {
    await writeClusterState(paths, { ...state, owner: null }).catch(() => undefined);
    throw error;
  }
}

/**
 * Retries two failures that pass with time: the port was taken meanwhile, or helpers of a killed server still hold its
 * memory.
 */
async function launchOnSomePort(
  launch: Omit<LaunchOptions, "port" | "url">,
  wantedPort: number | undefined,
  state: ClusterState,
): Promise<{ server: RunningServer; port: number; url: string }> {
  const deadline = Date.now() + RETRY_WITHIN_MS;
  let port = await choosePort(wantedPort, state.port);
  while (true) {
    const url = `postgres://postgres:${state.password}@127.0.0.1:${port}/postgres`;
    try {
      return { server: await launchServer({ ...launch, port, url }), port, url };
    } catch (error) {
      const code = error instanceof EmbeddedPostgresError ? error.code : null;
      const passes = code === "already_running" || (code === "port_taken" && wantedPort === undefined);
      if (!passes || Date.now() > deadline) throw error;
      if (code === "port_taken") port = await findFreePort();
      else await clearPreviousServer(launch.paths, { ...state, owner: null });
      await delay(100);
    }
  }
}

async function choosePort(wanted: number | undefined, remembered: number | null): Promise<number> {
  if (wanted === undefined) {
    return remembered !== null && (await isPortFree(remembered)) ? remembered : findFreePort();
  }
  if (await isPortFree(wanted)) return wanted;
  throw new EmbeddedPostgresError(
    "port_taken",
    `Port ${wanted}, wanted for the embedded Postgres, is taken. Choose another port, or leave it out to use any free port.`,
  );
}

function handle(server: RunningServer, port: number, url: string, forgetOwner: () => Promise<void>): EmbeddedPostgres {
  const { child, pid } = server;
  const ended = child.exitCode !== null || child.signalCode !== null;
  const exited = ended ? Promise.resolve() : once(child, "exit").then(() => undefined);
  let stopping: Promise<void> | null = null;
  const stop = async () => {
    await stopServer(pid);
    await exited;
    // A full disk must not prevent the exit: the next start detects that this process is gone.
    await forgetOwner().catch(() => undefined);
  };
  return { url, port, pid, exited, stop: () => (stopping ??= stop()) };
}
