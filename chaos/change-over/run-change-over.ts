import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { Admin } from "@platformatic/kafka";
import pg from "pg";
import { pino } from "pino";
import { startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import { startRelays } from "#relay/start-relays.ts";
import { OUTBOX_DDL } from "#relay/testing/outbox.fixture.ts";
import { parseConfig } from "#services/config/load-config.ts";
import { migrateStore } from "#services/migrate/auto-migrate.ts";
import { openRuntime } from "#services/runtime.ts";
import { startBroker } from "#tests/brokers/start-broker.ts";
import { findConnect } from "#tests/connect/connect-jars.ts";
import { type ConnectProcess, startConnect } from "#tests/connect/connect-process.ts";
import { putConnector } from "#tests/connect/connectors.ts";
import { waitFor } from "#tests/wait-for.ts";
import { type Ran, runCommand } from "./command.ts";
import { postgresOutbox } from "./produced-outboxes.ts";
import { startProducers } from "./producers.ts";
import { followTopic, judge, type Verdict } from "./read-topic.ts";

export interface ChangeOverOptions {
  perSecond: number;
  bytes: number;
  /** Time for which each publisher has the outbox. */
  phaseMs: number;
  /** How often each of the two commands is killed. */
  kills: number;
  /** How often the database crashes while each of them runs. */
  crashes: number;
  rounds: number;
  say(line: string): void;
}

export interface ChangeOverResult {
  committed: number;
  verdict: Verdict;
  versions: string;
  ways: ({ way: string } & Omit<Ran, "output">)[];
}

const TOPIC = "outbox.event.order";
const PASSWORD = "change-over";

/** A relay, then Debezium, then the relay again, over one outbox that is written all the time; then counts what arrived. */
export async function runChangeOver(options: ChangeOverOptions): Promise<ChangeOverResult> {
  const folder = await mkdtemp(join(tmpdir(), "outbox-change-over-"));
  const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    return await inWorld(await openWorld(folder, options, closing), options);
  } catch (error) {
    options.say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    throw error;
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

interface World {
  pool: pg.Pool;
  /** Path of outbox.yaml, which is written anew for each publisher. */
  config: string;
  relayYaml: string;
  connectYaml: string;
  connect: ConnectProcess;
  versions: string;
  brokers: string[];
  /** SIGKILL for the database, which then starts again. */
  crash(): Promise<void>;
}

async function openWorld(
  folder: string,
  { say }: ChangeOverOptions,
  closing: (() => Promise<unknown>)[],
): Promise<World> {
  const dataDir = join(folder, "postgres");
  let server = await startEmbeddedPostgres({ dataDir });
  closing.push(() => server.stop());
  const pool = new pg.Pool({ connectionString: server.url, max: 20 });
  // The server ends its connections when it stops.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  closing.push(() => pool.end());
  await pool.query(OUTBOX_DDL);
  const broker = await startBroker("kafka", { onProgress: say });
  closing.push(() => broker.remove());
  await createTopic(broker.addresses);
  say(`Kafka ${broker.version} is up; starting Kafka Connect ...`);
  const jars = await findConnect(["postgres"], say);
  const connect = await startConnect({ jars, folder, brokers: broker.addresses, password: PASSWORD });
  closing.push(() => connect.kill());
  say("Kafka Connect is up.");
  const shared = `stores: { default: { kind: postgres, url: "${server.url}" } }
sinks: { kafka: { kind: kafka, brokers: ["${broker.addresses[0]}"] } }
outboxes:
  orders:
    table: public.outbox_events
`;
  const { port } = server;
  const crash = async () => {
    process.kill(server.pid, "SIGKILL");
    await server.exited;
    server = await startEmbeddedPostgres({ dataDir, port });
  };
  return {
    crash,
    ...{ pool, brokers: broker.addresses, connect, versions: jars.versions, config: join(folder, "outbox.yaml") },
    relayYaml: `${shared}    mode: relay\n    relay: { sink: kafka, route: { preset: debezium } }\n`,
    connectYaml: `${shared}    mode: operate\n    relay: { source: debezium, connect: "${connect.url}", connector: orders-connector }\n`,
  };
}

async function createTopic(bootstrapBrokers: string[]): Promise<void> {
  const admin = new Admin({ clientId: "change-over", bootstrapBrokers });
  const topics = [TOPIC, "__debezium-heartbeat.orders-connector"];
  await admin.createTopics({ topics, partitions: 3, replicas: 1 });
  await admin.close();
}

async function inWorld(world: World, options: ChangeOverOptions): Promise<ChangeOverResult> {
  const { pool, relayYaml, connectYaml, brokers } = world;
  const { say, phaseMs, perSecond, bytes } = options;
  await migrateStore(parseConfig(relayYaml, {}, "change-over"), "default");
  const ways: ChangeOverResult["ways"] = [];
  const note = (way: string, { output: _, ...ran }: Ran) => {
    ways.push({ way, ...ran });
    say(`${way}: done after ${ran.seconds.toFixed(1)} s`);
  };
  const producers = startProducers(postgresOutbox(pool), { producers: 8, perSecond, bytes });
  for (let round = 0; round < options.rounds; round += 1) {
    const relays = await startRelay(world);
    await delay(phaseMs);
    if (round === 0) await prepare(world);
    note("from the relay", await change(world, ["--from-relay"], options));
    await relays.stop();
    await startConnector(world);
    await writeFile(world.config, connectYaml);
    await delay(phaseMs);
    note("to the relay", await change(world, ["--to-relay"], options));
    await removeConnector(world);
    await writeFile(world.config, relayYaml);
  }
  const relays = await startRelay(world);
  await delay(phaseMs);
  await producers.stop();
  await waitFor(async () => (await unsent(pool)) === 0, { timeoutMs: 120_000, message: "all are marked" });
  await relays.stop();
  const topic = await followTopic(brokers, TOPIC);
  await topic.untilEnd();
  await topic.close();
  const committed = producers.committed();
  return { committed, verdict: judge(topic.arrived, committed), ways, versions: world.versions };
}

/** Kept apart from the relay's first second, in which a kill would prove little. */
function change({ config, crash }: World, way: string[], { kills, crashes }: ChangeOverOptions): Promise<Ran> {
  return runCommand([...way, "--yes"], { config, kills, crashes, crash, withinMs: 6_000 });
}

async function startRelay({ relayYaml, config }: World) {
  await writeFile(config, relayYaml);
  const runtime = openRuntime({
    config: parseConfig(relayYaml, {}, "change-over"),
    applicationName: "change-over",
    env: {},
  });
  const log = pino({ level: "error" });
  const relays = await startRelays({ runtime, signal: new AbortController().signal, log });
  return {
    async stop() {
      await relays.stop();
      await runtime.close();
    },
  };
}

/** What a person does first: the statements that the command prints, with a password. */
async function prepare({ pool, config }: World): Promise<void> {
  const { stderr } = await promisify(execFile)(process.execPath, ["scripts/debezium.ts", "orders"], {
    env: { ...process.env, OUTBOX_CONFIG: config },
  });
  const [, sql = ""] = /In the database:\n\n([\s\S]*?)\n\n/.exec(stderr) ?? [];
  await pool.query(sql);
  await pool.query(`ALTER ROLE debezium PASSWORD '${PASSWORD}'`);
}

async function startConnector({ connect, config }: World): Promise<void> {
  const { stdout } = await promisify(execFile)(process.execPath, ["scripts/debezium.ts", "orders"], {
    env: { ...process.env, OUTBOX_CONFIG: config },
  });
  await putConnector(connect, "orders-connector", JSON.parse(stdout) as Record<string, string>);
}

/** What a person does last. */
async function removeConnector({ connect, pool }: World): Promise<void> {
  // Its offsets would be those of the next connector of this name.
  await fetch(`${connect.url}/connectors/orders-connector/offsets`, { method: "DELETE" });
  await fetch(`${connect.url}/connectors/orders-connector`, { method: "DELETE" });
  await waitFor(() => pool.query("SELECT pg_drop_replication_slot('debezium_orders')"), {
    message: "the slot is dropped",
  });
}

async function unsent(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query("SELECT count(*)::int AS n FROM outbox_events WHERE published_at IS NULL");
  return rows[0]?.n ?? -1;
}
