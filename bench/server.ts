import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import { migrateStoreSide } from "#db/stores/postgres/own-schema/migrate.ts";
import { cpuMicrosOf } from "./server-cpu.ts";

/** A Postgres private to the benchmark, with fsync on. */
export interface BenchServer {
  url: string;
  version: string;
  client: pg.Client;
  cpuMicros(): Promise<number>;
  stop(): Promise<void>;
}

export async function startServer(): Promise<BenchServer> {
  const folder = await mkdtemp(join(tmpdir(), "outbox-console-bench-"));
  const server = await startEmbeddedPostgres({
    dataDir: folder,
    settings: { shared_buffers: "512MB", max_wal_size: "4GB", wal_level: "logical", max_connections: "200" },
  });
  await migrateStoreSide(server.url);
  const client = new pg.Client(server.url);
  await client.connect();
  const { rows } = await client.query("SHOW server_version");
  return {
    url: server.url,
    version: rows[0].server_version,
    client,
    cpuMicros: () => cpuMicrosOf(server.pid),
    async stop() {
      await client.end();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
