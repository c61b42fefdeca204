import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Admin } from "@platformatic/kafka";
import pg from "pg";
import { pino } from "pino";
import { startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import { updateConsoleSide } from "#db/records/migrate.ts";
import { openReplaySink } from "#relay/replay/open-replay-sink.ts";
import { startRelays } from "#relay/start-relays.ts";
import { OUTBOX_DDL } from "#relay/testing/outbox.fixture.ts";
import { parseConfig } from "#services/config/load-config.ts";
import { changeFromRelay } from "#services/connect/change-over/from-relay.ts";
import { changeToRelay } from "#services/connect/change-over/to-relay.ts";
import { planOfOutbox } from "#services/connect/plan-of-outbox.ts";
import { migrateStore } from "#services/migrate/auto-migrate.ts";
import { openRuntime, type Runtime } from "#services/runtime.ts";
import { uniqueName } from "#tests/brokers/unique-name.ts";
import type { ConnectJars } from "#tests/connect/connect-jars.ts";
import { type ConnectProcess, startConnect } from "#tests/connect/connect-process.ts";
import { deleteConnector, putConnector } from "#tests/connect/connectors.ts";
import { ADMIN } from "#tests/factories/runtime.ts";
import { waitFor } from "#tests/wait-for.ts";

const CONNECTOR = "orders-connector";
export const SLOT = "debezium_orders";
const PASSWORD = "ch4nge-0ver";

export type Publisher = "relay" | "connector";

/** A separate Postgres and Kafka Connect, a shared Kafka, and both ways to publish the outbox `orders`. */
export interface ConnectWorld extends Ways {
  pool: pg.Pool;
  connect: ConnectProcess;
  /** Aggregate type of the events, from which their topic gets its name. */
  aggregateType: string;
  topic: string;
  /** Password of Debezium's user. */
  password: string;
  runtime(publisher: Publisher): Promise<Runtime>;
  createConnector(change?: { name?: string; config?: Record<string, string> }): Promise<void>;
  /** With its offsets and its slot. */
  removeConnector(name?: string, slot?: string): Promise<void>;
  unsent(): Promise<number>;
  close(): Promise<void>;
}

export async function openConnectWorld(brokers: string[], jars: ConnectJars): Promise<ConnectWorld> {
  const folder = await mkdtemp(join(tmpdir(), "outbox-connect-"));
  const server = await startEmbeddedPostgres({ dataDir: join(folder, "postgres") });
  const pool = new pg.Pool({ connectionString: server.url, max: 10 });
  // The server ends its connections when it stops.
  pool.on("error", () => undefined);
  await pool.query(OUTBOX_DDL);
  const aggregateType = uniqueName("order");
  const topic = `outbox.event.${aggregateType}`;
  await createTopics(brokers, [topic, `__debezium-heartbeat.${CONNECTOR}`]);
  const connect = await startConnect({ jars, folder: join(folder, "connect"), brokers, password: PASSWORD });
  const configOf = (publisher: Publisher) => parseConfig(yamlOf(publisher, { server, brokers, connect }), {}, "test");
  await migrateStore(configOf("relay"), "default");
  await updateConsoleSide(server.url, "the console side");
  const open = new Set<Runtime>();
  const runtime = async (publisher: Publisher) => {
    const opened = openRuntime({ config: configOf(publisher), applicationName: "change-over", env: {} });
    open.add(opened);
    return opened;
  };
  // The preparation of an operator: runs the statements that the command prints, with a password.
  await pool.query((await planOfOutbox({ runtime: await runtime("relay"), outbox: "orders" })).preparation);
  await pool.query(`ALTER ROLE debezium PASSWORD '${PASSWORD}'`);
  return {
    ...{ pool, connect, aggregateType, topic, password: PASSWORD, runtime },
    ...waysOf(runtime, "orders"),
    ...connectorsOf({ pool, connect, runtime }),
    async unsent() {
      const { rows } = await pool.query("SELECT count(*)::int AS n FROM outbox_events WHERE published_at IS NULL");
      return rows[0]?.n ?? -1;
    },
    async close() {
      await Promise.all([...open].map((one) => one.close()));
      await connect.kill();
      await pool.end();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface Ways {
  startRelay(): Promise<{ stop(): Promise<void> }>;
  /** `say` gets the command's output. */
  change(way: "from-relay" | "to-relay", say?: (line: string) => void): Promise<void>;
}

export function waysOf(runtime: ConnectWorld["runtime"], outbox: string): Ways {
  return {
    async startRelay() {
      const of = { runtime: await runtime("relay"), signal: new AbortController().signal };
      return startRelays({ ...of, log: pino({ level: "silent" }) });
    },
    async change(way, say = () => undefined) {
      const relayed = way === "from-relay";
      const input = {
        ...{ runtime: await runtime(relayed ? "relay" : "connector"), outbox, actor: ADMIN, act: true },
        ...{ openSink: openReplaySink, say },
      };
      await (relayed ? changeFromRelay(input) : changeToRelay(input, { fromSlot: false }));
    },
  };
}

function connectorsOf({
  pool,
  connect,
  runtime,
}: Pick<ConnectWorld, "pool" | "connect" | "runtime">): Pick<ConnectWorld, "createConnector" | "removeConnector"> {
  const plan = async () => planOfOutbox({ runtime: await runtime("connector"), outbox: "orders" });
  return {
    async createConnector({ name = CONNECTOR, config = {} } = {}) {
      await putConnector(connect, name, { ...(await plan()).config, ...config });
    },
    async removeConnector(name = CONNECTOR, slot = SLOT) {
      await deleteConnector(connect, name);
      const drop = () => pool.query("SELECT pg_drop_replication_slot($1)", [slot]);
      await waitFor(drop, { message: `the slot ${slot} is dropped` });
    },
  };
}

function yamlOf(
  publisher: Publisher,
  { server, brokers, connect }: { server: { url: string }; brokers: string[]; connect: ConnectProcess },
): string {
  const lines = {
    relay: "mode: relay\n    relay: { sink: kafka, lease: 2s, route: { preset: debezium } }",
    connector: `mode: operate\n    relay: { source: debezium, connect: "${connect.url}", connector: ${CONNECTOR} }`,
  };
  return `stores: { default: { kind: postgres, url: "${server.url}" } }
sinks: { kafka: { kind: kafka, brokers: ["${brokers.join('", "')}"] } }
outboxes:
  orders:
    table: public.outbox_events
    ${lines[publisher]}
`;
}

export async function createTopics(bootstrapBrokers: string[], topics: string[]): Promise<void> {
  const admin = new Admin({ clientId: "change-over", bootstrapBrokers });
  await admin.createTopics({ topics, partitions: 3, replicas: 1 });
  await admin.close();
}
