import { join } from "node:path";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import { choosePorts } from "#tests/brokers/choose-ports.ts";
import { runWhenOwnerIsGone } from "#tests/brokers/watch-owner.ts";
import { waitFor } from "#tests/wait-for.ts";
import type { ServerEnd } from "../chaos-store.ts";
import { inTurn } from "../in-turn.ts";

export interface PostgresServer {
  url: string;
  port: number;
  /** Stops it in the given way and restarts it after a pause, with the same port and data. One call at a time. */
  restart(how: ServerEnd, downMs: number): Promise<void>;
  stop(): Promise<void>;
}

const SIGNALS: Record<ServerEnd, NodeJS.Signals> = { stop: "SIGINT", immediate: "SIGQUIT", kill: "SIGKILL" };

/**
 * Without fsync a commit survives the death of every server process, but not of the machine. Commits wait until their
 * WAL is written to the operating system, as in production.
 */
const SETTINGS = { fsync: "off", full_page_writes: "off", max_connections: "200", wal_sender_timeout: "5s" };

export async function startPostgresServer(folder: string): Promise<PostgresServer> {
  const dataDir = join(folder, "postgres");
  const [chosen] = await choosePorts(1);
  let server: EmbeddedPostgres = await startEmbeddedPostgres({
    dataDir,
    ...(chosen ? { port: chosen } : {}),
    settings: SETTINGS,
  });
  const { url, port } = server;
  const watcher = runWhenOwnerIsGone('[ -z "$last" ] || kill -9 "$last"', []);
  watcher.pass(String(server.pid));
  const turns = inTurn();

  const restart = async (how: ServerEnd, downMs: number) => {
    process.kill(server.pid, SIGNALS[how]);
    await server.exited;
    await server.stop();
    await new Promise((resolve) => setTimeout(resolve, downMs));
    server = await waitFor(() => startEmbeddedPostgres({ dataDir, port, settings: SETTINGS }), {
      timeoutMs: 60_000,
      intervalMs: 100,
      message: "Postgres is there again",
    });
    watcher.pass(String(server.pid));
  };
  return {
    url,
    port,
    restart: (how, downMs) => turns.run(() => restart(how, downMs)),
    stop: async () => {
      await turns.idle();
      await server.stop();
      watcher.callOff();
    },
  };
}
