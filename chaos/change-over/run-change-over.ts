import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { Admin } from "@platformatic/kafka";
import { pino } from "pino";
import { startRelays } from "#relay/start-relays.ts";
import { parseConfig } from "#services/config/load-config.ts";
import { migrateStore } from "#services/migrate/auto-migrate.ts";
import { openRuntime } from "#services/runtime.ts";
import { startBroker } from "#tests/brokers/start-broker.ts";
import { findConnect } from "#tests/connect/connect-jars.ts";
import { type ConnectProcess, startConnect } from "#tests/connect/connect-process.ts";
import { waitFor } from "#tests/wait-for.ts";
import { type ChangedStore, openMysql, openPostgres } from "./changed-store.ts";
import { type Ran, runCommand } from "./command.ts";
import { startProducers } from "./producers.ts";
import { followTopic, judge, type Verdict } from "./read-topic.ts";

const OPEN = {
  postgres: openPostgres,
  mysql: () => openMysql("mysql"),
  "mysql-gtid": () => openMysql("mysql-gtid"),
  mariadb: () => openMysql("mariadb"),
};

export type ChangeOverStore = keyof typeof OPEN;
export const CHANGE_OVER_STORES = Object.keys(OPEN) as ChangeOverStore[];

export interface ChangeOverOptions {
  store: ChangeOverStore;
  perSecond: number;
  bytes: number;
  /** Time for which each publisher has the outbox. */
  phaseMs: number;
  /** Number of kills of each of the two commands. */
  kills: number;
  /** Number of database crashes while each of them runs. */
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

const CONNECTOR = "orders-connector";
const TOPIC = "outbox.event.order";
const PASSWORD = "change-over";

/** A relay, then Debezium, then the relay again publish one outbox under constant writes. Then counts the arrivals. */
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
  store: ChangedStore;
  /** Path of outbox.yaml, which is rewritten for each publisher. */
  config: string;
  relayYaml: string;
  connectYaml: string;
  connect: ConnectProcess;
  versions: string;
  brokers: string[];
}

async function openWorld(
  folder: string,
  { say, store: kind }: ChangeOverOptions,
  closing: (() => Promise<unknown>)[],
): Promise<World> {
  const store = await OPEN[kind](folder);
  closing.push(() => store.close());
  const broker = await startBroker("kafka", { onProgress: say });
  closing.push(() => broker.remove());
  await createTopic(broker.addresses);
  say(`Kafka ${broker.version} is up; starting Kafka Connect ...`);
  const jars = await findConnect([store.plugin], say);
  const connect = await startConnect({ jars, folder, brokers: broker.addresses, password: PASSWORD });
  closing.push(() => connect.kill());
  say("Kafka Connect is up.");
  const shared = `stores: { default: ${store.yaml} }
sinks: { kafka: { kind: kafka, brokers: ["${broker.addresses[0]}"] } }
outboxes:
  orders:
    table: ${store.table}
`;
  return {
    ...{ store, brokers: broker.addresses, connect, versions: jars.versions, config: join(folder, "outbox.yaml") },
    relayYaml: `${shared}    mode: relay\n    relay: { sink: kafka, route: { preset: debezium } }\n`,
    connectYaml: `${shared}    mode: operate\n    relay: { source: debezium, connect: "${connect.url}", connector: ${CONNECTOR} }\n`,
  };
}

async function createTopic(bootstrapBrokers: string[]): Promise<void> {
  const admin = new Admin({ clientId: "change-over", bootstrapBrokers });
  const topics = [TOPIC, `__debezium-heartbeat.${CONNECTOR}`];
  await admin.createTopics({ topics, partitions: 3, replicas: 1 });
  await admin.close();
}

async function inWorld(world: World, options: ChangeOverOptions): Promise<ChangeOverResult> {
  const { store, relayYaml, connectYaml, brokers } = world;
  const { say, phaseMs, perSecond, bytes } = options;
  await migrateStore(parseConfig(relayYaml, {}, "change-over"), "default");
  const ways: ChangeOverResult["ways"] = [];
  const note = (way: string, { output, ...ran }: Ran) => {
    ways.push({ way, ...ran });
    say(`${way}: done after ${ran.seconds.toFixed(1)} s`);
    return output;
  };
  const producers = startProducers(store.outbox, { producers: 8, perSecond, bytes });
  for (let round = 0; round < options.rounds; round += 1) {
    const relays = await startRelay(world);
    await delay(phaseMs);
    if (round === 0) await prepare(world);
    const said = note("from the relay", await change(world, ["--from-relay"], options));
    await relays.stop();
    await startConnector(world, said);
    await writeFile(world.config, connectYaml);
    await delay(phaseMs);
    note("to the relay", await change(world, ["--to-relay"], options));
    await store.removeConnector(world.connect, CONNECTOR);
    await writeFile(world.config, relayYaml);
  }
  const relays = await startRelay(world);
  await delay(phaseMs);
  await producers.stop();
  await waitFor(async () => (await store.unsent()) === 0, { timeoutMs: 120_000, message: "all are marked" });
  await relays.stop();
  const topic = await followTopic(brokers, TOPIC);
  await topic.untilEnd();
  await topic.close();
  const committed = producers.committed();
  return { committed, verdict: judge(topic.arrived, committed), ways, versions: world.versions };
}

/** Runs one change of the publisher, with kills and crashes at most 6 s after a start. */
function change(
  { config, store: { crash } }: World,
  way: string[],
  { kills, crashes }: ChangeOverOptions,
): Promise<Ran> {
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

/** The first step of a person: runs the statements that the command prints, with a password. */
async function prepare({ store, config }: World): Promise<void> {
  const { stderr } = await printed(config);
  const [, sql = ""] = /In the database:\n\n([\s\S]*?)\n\n/.exec(stderr) ?? [];
  await store.prepare(sql, PASSWORD);
}

async function startConnector({ store, connect, brokers, config }: World, said: string): Promise<void> {
  const { stdout: json } = await printed(config);
  await store.createConnector({ connect, name: CONNECTOR, brokers, json, said });
}

function printed(config: string): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, ["scripts/debezium.ts", "orders"], {
    env: { ...process.env, OUTBOX_CONFIG: config },
  });
}
