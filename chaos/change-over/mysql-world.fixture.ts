import mysql from "mysql2/promise";
import { parseConfig } from "#services/config/load-config.ts";
import { planOfOutbox } from "#services/connect/plan-of-outbox.ts";
import { migrateStore } from "#services/migrate/auto-migrate.ts";
import { openRuntime, type Runtime } from "#services/runtime.ts";
import { uniqueName } from "#tests/brokers/unique-name.ts";
import type { ConnectProcess } from "#tests/connect/connect-process.ts";
import { createStopped, deleteConnector, giveOffsets, resumeConnector } from "#tests/connect/connectors.ts";
import { findMysqlProgram } from "#tests/mysql-servers/mysql-program.ts";
import { type OwnServer, runServer } from "#tests/mysql-servers/run-server.ts";
import { createTopics, type Publisher, type Ways, waysOf } from "./connect-world.fixture.ts";

const DATABASE = "shop";
const OUTBOX = "invoices";
const CONNECTOR = `${OUTBOX}-connector`;
/** As MySQL comes. Tests of the commands alone have transactions with numbers (GTID). */
const NO_NUMBERS = ["--gtid-mode=OFF", "--enforce-gtid-consistency=OFF"];
const DDL = `CREATE TABLE outbox_events (
  id char(36) NOT NULL PRIMARY KEY DEFAULT (UUID()), seq bigint NOT NULL AUTO_INCREMENT UNIQUE,
  aggregate_type varchar(100) NOT NULL, aggregate_id varchar(100) NOT NULL,
  event_type varchar(100) NOT NULL DEFAULT 'order.changed', payload json NOT NULL,
  created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), published_at datetime(6) NULL, KEY pending (published_at, seq))`;

/** A MySQL of its own, with a Kafka and a Kafka Connect that others use too, and both ways to publish the outbox `invoices`. */
export interface MysqlWorld extends Ways {
  pool: mysql.Pool;
  aggregateType: string;
  topic: string;
  runtime(publisher: Publisher): Promise<Runtime>;
  /** Does the requests that `--from-relay` has printed. */
  createConnector(printed: string): Promise<void>;
  /** With its offsets. */
  removeConnector(): Promise<void>;
  unsent(): Promise<number>;
  close(): Promise<void>;
}

export async function openMysqlWorld(
  brokers: string[],
  connect: ConnectProcess,
  password: string,
): Promise<MysqlWorld> {
  const server = await runServer("mysql", await findMysqlProgram(() => undefined), NO_NUMBERS);
  const pool = await openDatabase(server);
  const aggregateType = uniqueName("invoice");
  const topic = `outbox.event.${aggregateType}`;
  await createTopics(brokers, [topic, `__debezium-heartbeat.${CONNECTOR}`]);
  const url = Object.assign(new URL(server.url), { pathname: `/${DATABASE}` }).toString();
  const configOf = (publisher: Publisher) => parseConfig(yamlOf(publisher, { url, brokers, connect }), {}, "test");
  await migrateStore(configOf("relay"), "default");
  const open = new Set<Runtime>();
  const runtime = async (publisher: Publisher) => {
    const opened = openRuntime({ config: configOf(publisher), applicationName: "change-over", env: {} });
    open.add(opened);
    return opened;
  };
  const plan = async () => planOfOutbox({ runtime: await runtime("relay"), outbox: OUTBOX });
  // What a person does first: the statements that the command prints, with a password.
  await pool.query((await plan()).preparation.replace("CHANGE-ME", password));
  return {
    ...{ pool, aggregateType, topic, runtime },
    ...waysOf(runtime, OUTBOX),
    async createConnector(printed) {
      const { config } = await plan();
      const history = { "schema.history.internal.kafka.bootstrap.servers": brokers.join(",") };
      await createStopped(connect, CONNECTOR, { ...config, ...history });
      const [, offsets = ""] = /-X PATCH .* --data '(.*)' /.exec(printed) ?? [];
      await giveOffsets(connect, CONNECTOR, offsets);
      await resumeConnector(connect, CONNECTOR);
    },
    removeConnector: () => deleteConnector(connect, CONNECTOR),
    async unsent() {
      const [rows] = await pool.query("SELECT COUNT(*) AS n FROM outbox_events WHERE published_at IS NULL");
      return Number((rows as { n: number }[])[0]?.n);
    },
    async close() {
      await Promise.all([...open].map((one) => one.close()));
      await pool.end();
      await server.remove();
    },
  };
}

async function openDatabase(server: OwnServer): Promise<mysql.Pool> {
  const pool = mysql.createPool({
    uri: server.url,
    connectionLimit: 10,
    multipleStatements: true,
    timezone: "Z",
  });
  await pool.query(`CREATE DATABASE ${DATABASE}`);
  await pool.query(DDL.replace("outbox_events", `${DATABASE}.outbox_events`));
  await pool.end();
  const uri = Object.assign(new URL(server.url), { pathname: `/${DATABASE}` }).toString();
  return mysql.createPool({ uri, connectionLimit: 10, multipleStatements: true, timezone: "Z" });
}

function yamlOf(
  publisher: Publisher,
  { url, brokers, connect }: { url: string; brokers: string[]; connect: ConnectProcess },
): string {
  const lines = {
    relay: "mode: relay\n    relay: { sink: kafka, lease: 2s, route: { preset: debezium } }",
    connector: `mode: operate\n    relay: { source: debezium, connect: "${connect.url}", connector: ${CONNECTOR} }`,
  };
  return `stores: { default: { kind: mysql, url: "${url}" } }
sinks: { kafka: { kind: kafka, brokers: ["${brokers.join('", "')}"] } }
outboxes:
  ${OUTBOX}:
    table: ${DATABASE}.outbox_events
    ${lines[publisher]}
`;
}
