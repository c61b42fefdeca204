import { join } from "node:path";
import mysql from "mysql2/promise";
import pg from "pg";
import { startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import { OUTBOX_DDL } from "#relay/testing/outbox.fixture.ts";
import type { ConnectPlugin } from "#tests/connect/connect-jars.ts";
import type { ConnectProcess } from "#tests/connect/connect-process.ts";
import {
  createStopped,
  deleteConnector,
  giveOffsets,
  putConnector,
  resumeConnector,
} from "#tests/connect/connectors.ts";
import { findMariadbProgram } from "#tests/mysql-servers/mariadb-program.ts";
import { findMysqlProgram } from "#tests/mysql-servers/mysql-program.ts";
import { runServer } from "#tests/mysql-servers/run-server.ts";
import { waitFor } from "#tests/wait-for.ts";
import { mysqlOutbox, postgresOutbox } from "./produced-outboxes.ts";
import type { ProducedOutbox } from "./producers.ts";

interface NewConnector {
  connect: ConnectProcess;
  name: string;
  brokers: readonly string[];
  /** Standard output of `npm run debezium`. */
  json: string;
  /** Output of `--from-relay`. */
  said: string;
}

/** The database of one outbox, which a relay or a connector publishes. */
export interface ChangedStore {
  plugin: ConnectPlugin;
  /** The store, as YAML flow, and the outbox' table. */
  yaml: string;
  table: string;
  outbox: ProducedOutbox;
  /** Runs the command's statements in the database, with a password for the connector's user. */
  prepare(statements: string, password: string): Promise<void>;
  /** The step of a person after `--from-relay`. */
  createConnector(connector: NewConnector): Promise<void>;
  /** The last step of a person. */
  removeConnector(connect: ConnectProcess, name: string): Promise<void>;
  unsent(): Promise<number>;
  /** Kills the server with SIGKILL and starts it again. */
  crash(): Promise<void>;
  close(): Promise<void>;
}

const UNSENT = "SELECT COUNT(*) AS n FROM outbox_events WHERE published_at IS NULL";

export async function openPostgres(folder: string): Promise<ChangedStore> {
  const dataDir = join(folder, "postgres");
  let server = await startEmbeddedPostgres({ dataDir });
  const { port } = server;
  const pool = new pg.Pool({ connectionString: server.url, max: 20 });
  // The server ends its connections when it stops.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  await pool.query(OUTBOX_DDL);
  return {
    plugin: "postgres",
    yaml: `{ kind: postgres, url: "${server.url}" }`,
    table: "public.outbox_events",
    outbox: postgresOutbox(pool),
    async prepare(statements, password) {
      await pool.query(statements);
      await pool.query(`ALTER ROLE debezium PASSWORD '${password}'`);
    },
    createConnector: ({ connect, name, json }) =>
      putConnector(connect, name, JSON.parse(json) as Record<string, string>),
    async removeConnector(connect, name) {
      await deleteConnector(connect, name);
      const drop = () => pool.query("SELECT pg_drop_replication_slot('debezium_orders')");
      await waitFor(drop, { message: "the slot is dropped" });
    },
    unsent: async () => Number((await pool.query<{ n: string }>(UNSENT)).rows[0]?.n),
    async crash() {
      process.kill(server.pid, "SIGKILL");
      await server.exited;
      server = await startEmbeddedPostgres({ dataDir, port });
    },
    async close() {
      await pool.end();
      await server.stop();
    },
  };
}

const DATABASE = "shop";
const MYSQL_DDL = `CREATE TABLE ${DATABASE}.outbox_events (
  id char(36) NOT NULL PRIMARY KEY DEFAULT (UUID()), seq bigint NOT NULL AUTO_INCREMENT UNIQUE,
  aggregate_type varchar(100) NOT NULL, aggregate_id varchar(100) NOT NULL,
  event_type varchar(100) NOT NULL DEFAULT 'order.changed', payload json NOT NULL,
  created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), published_at datetime(6) NULL, KEY pending (published_at, seq))`;
/** Commits survive a crash of the server. */
const DURABLE = ["--innodb-flush-log-at-trx-commit=1", "--sync-binlog=1"];
const NO_NUMBERS = ["--gtid-mode=OFF", "--enforce-gtid-consistency=OFF"];

const SERVERS = {
  mysql: async () => runServer("mysql", await findMysqlProgram(() => undefined), [...DURABLE, ...NO_NUMBERS]),
  "mysql-gtid": async () => runServer("mysql", await findMysqlProgram(() => undefined), DURABLE),
  mariadb: () => runServer("mariadb", findMariadbProgram(), DURABLE),
};

/** GTIDs are off by default in MySQL, and always there in MariaDB. */
export async function openMysql(kind: keyof typeof SERVERS): Promise<ChangedStore> {
  const server = await SERVERS[kind]();
  const url = server.url.replace(/^mariadb:/, "mysql:");
  const uri = Object.assign(new URL(url), { pathname: `/${DATABASE}` }).toString();
  await createTable(url);
  const pool = mysql.createPool({ uri, connectionLimit: 20, multipleStatements: true, timezone: "Z" });
  // A connection that the server ends fails its own statements.
  pool.on("connection", (connection) => connection.on("error", () => undefined));
  return {
    plugin: kind === "mariadb" ? "mariadb" : "mysql",
    yaml: `{ kind: mysql, url: "${uri}" }`,
    table: `${DATABASE}.outbox_events`,
    outbox: mysqlOutbox(pool),
    prepare: async (statements, password) => void (await pool.query(statements.replace("CHANGE-ME", password))),
    createConnector: createAtOffset,
    removeConnector: deleteConnector,
    async unsent() {
      const [rows] = await pool.query(UNSENT);
      return Number((rows as { n: number }[])[0]?.n);
    },
    crash: () => server.restart({ kill: true }),
    async close() {
      await pool.end();
      await server.remove();
    },
  };
}

async function createTable(uri: string): Promise<void> {
  const connection = await mysql.createConnection({ uri, multipleStatements: true });
  await connection.query(`CREATE DATABASE ${DATABASE}; ${MYSQL_DDL}`);
  await connection.end();
}

/** The requests that `--from-relay` has printed. */
async function createAtOffset({ connect, name, brokers, json, said }: NewConnector): Promise<void> {
  const { config } = JSON.parse(json) as { config: Record<string, string> };
  const history = { "schema.history.internal.kafka.bootstrap.servers": brokers.join(",") };
  await createStopped(connect, name, { ...config, ...history });
  const [, offsets = ""] = /-X PATCH .* --data '(.*)' /.exec(said) ?? [];
  await giveOffsets(connect, name, offsets);
  await resumeConnector(connect, name);
}
