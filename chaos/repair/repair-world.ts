import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { migrateConsoleSide } from "#db/records/migrate.ts";
import { migrateStoreSide } from "#db/stores/postgres/own-schema/migrate.ts";
import { runWhenOwnerIsGone } from "#tests/brokers/watch-owner.ts";
import { makeTable, OUTBOX, TABLE } from "#tests/outbox-table.ts";
import { programPath } from "#tests/program-path.ts";
import { waitFor } from "#tests/wait-for.ts";
import { type PostgresServer, startPostgresServer } from "../stores/postgres/postgres-server.ts";

/** A trigger records every message that leaves the dead letters, so that a repeated act is visible. */
const WITNESS = `
CREATE TABLE brought_back (message_id text NOT NULL);
CREATE FUNCTION note_brought_back() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN INSERT INTO public.brought_back VALUES (OLD.message_id); RETURN NULL; END $$;
CREATE TRIGGER brought_back AFTER DELETE ON outbox_console.dead_letter FOR EACH ROW EXECUTE FUNCTION note_brought_back()`;

/** A Postgres with dead letters, a worker that can be killed, and a receiver that counts what arrives. */
export class RepairWorld {
  readonly server: PostgresServer;
  /** Arrivals of each message. */
  readonly received: Map<string, number>;
  /** Time of a message's first arrival, ms; only for ids that were registered before they were sent. */
  readonly arrivedAtMs: Map<string, number>;
  readonly configPath: string;
  readonly #receiver: Server;
  readonly #watcher = runWhenOwnerIsGone('[ -z "$last" ] || kill -9 "$last"', []);
  #worker: ChildProcess | null = null;

  private constructor(
    parts: Pick<RepairWorld, "server" | "received" | "arrivedAtMs" | "configPath"> & { sink: Server },
  ) {
    this.server = parts.server;
    this.received = parts.received;
    this.arrivedAtMs = parts.arrivedAtMs;
    this.configPath = parts.configPath;
    this.#receiver = parts.sink;
  }

  static async open(folder: string, rows: number): Promise<RepairWorld> {
    const server = await startPostgresServer(folder);
    await migrateStoreSide(server.url);
    await migrateConsoleSide(server.url);
    await withClient(server.url, async (client) => {
      await makeTable(client, { buried: rows });
      await client.query(WITNESS);
    });
    const received = new Map<string, number>();
    const arrivedAtMs = new Map<string, number>();
    const sink = await listen((id) => {
      received.set(id, (received.get(id) ?? 0) + 1);
      if (arrivedAtMs.get(id) === 0) arrivedAtMs.set(id, performance.now());
    });
    const configPath = join(folder, "outbox.yaml");
    await writeFile(configPath, JSON.stringify(configOf(server.url, (sink.address() as AddressInfo).port)));
    return new RepairWorld({ server, received, arrivedAtMs, configPath, sink });
  }

  /** Resolves once its relay publishes. */
  async startWorker(): Promise<void> {
    const child = spawn(process.execPath, [programPath("scripts/worker.ts")], {
      env: { ...process.env, OUTBOX_CONFIG: this.configPath, NODE_OPTIONS: "", LOG_LEVEL: "fatal" },
      stdio: ["ignore", "ignore", "inherit"],
    });
    this.#worker = child;
    this.#watcher.pass(String(child.pid));
    const owns = `SELECT 1 FROM outbox_console.relay_instance WHERE outbox = '${OUTBOX}' AND pid = ${child.pid} AND state = 'owner'`;
    await waitFor(async () => (await this.rows(owns).catch(() => [])).length > 0, {
      timeoutMs: 120_000,
      message: "the worker publishes",
    });
  }

  async killWorker(): Promise<void> {
    const child = this.#worker;
    this.#worker = null;
    if (!child || child.exitCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  }

  rows<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    return withClient(this.server.url, async (client) => (await client.query<Row>(text)).rows);
  }

  async close(): Promise<void> {
    await this.killWorker();
    this.#receiver.closeAllConnections();
    this.#receiver.close();
    await this.server.stop();
    this.#watcher.callOff();
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function listen(arrived: (id: string) => void): Promise<Server> {
  const server = createServer((request, response) => {
    arrived(String(request.headers["webhook-id"]));
    request.resume();
    request.on("end", () => response.writeHead(204).end());
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function configOf(url: string, sinkPort: number) {
  return {
    discover: false,
    stores: { shop: { kind: "postgres", url } },
    sinks: { out: { kind: "http", url: `http://127.0.0.1:${sinkPort}` } },
    outboxes: { [OUTBOX]: { store: "shop", table: TABLE, mode: "relay", relay: { sink: "out" } } },
  };
}
