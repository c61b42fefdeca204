import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type BrokerOptions, BrokerUnavailable } from "./broker.ts";
import type { BrokerProgram, ProgramPlace } from "./broker-program.ts";
import { findProgram } from "./find-program.ts";
import { kafkaJars } from "./kafka-jars.ts";

const run = promisify(execFile);

export const OLDEST_JAVA_OF_KAFKA_4 = 17;

/** The newest Kafka that each Java version runs and our client supports, newest first. */
const VERSIONS = [
  { fromJava: OLDEST_JAVA_OF_KAFKA_4, kafka: "4.2.1" },
  { fromJava: 11, kafka: "3.9.1" },
];

/** A test broker runs for seconds: optimising compilation and parallel garbage collection cost more than they gain. */
const SHORT_LIVED = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"];
const JAVA_OPTIONS = [
  ...SHORT_LIVED,
  "-Xms128m",
  "-Xmx512m",
  "-XX:+ExitOnOutOfMemoryError",
  "-Djava.awt.headless=true",
];

/** One node as broker and controller. Missing topics are an error, as in production. */
const SETTINGS = {
  "process.roles": "broker,controller",
  "node.id": "1",
  "auto.create.topics.enable": "false",
  "num.partitions": "3",
  "offsets.topic.num.partitions": "1",
  "offsets.topic.replication.factor": "1",
  "transaction.state.log.num.partitions": "1",
  "transaction.state.log.replication.factor": "1",
  "transaction.state.log.min.isr": "1",
  // After a SIGKILL the node waits until its previous session has expired: nine seconds by default.
  "broker.session.timeout.ms": "3000",
  "broker.heartbeat.interval.ms": "500",
  "group.initial.rebalance.delay.ms": "0",
  "log.cleaner.dedupe.buffer.size": "8388608",
  "controller.listener.names": "CONTROLLER",
  "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
};

/** @throws BrokerUnavailable */
export async function findKafkaProgram({ onProgress = () => undefined }: BrokerOptions): Promise<BrokerProgram> {
  const java = findProgram("java", process.env.JAVA_HOME ? [join(process.env.JAVA_HOME, "bin")] : []);
  if (java === null) throw new BrokerUnavailable("there is no java on this machine");
  const javaVersion = await readJavaVersion(java);
  const version = VERSIONS.find(({ fromJava }) => javaVersion >= fromJava)?.kafka;
  if (version === undefined)
    throw new BrokerUnavailable(`Java ${javaVersion} is too old for it: it needs ${OLDEST_JAVA_OF_KAFKA_4}`);
  const jars = await kafkaJars(version, onProgress);
  const classPath = ["-cp", join(jars, "*")];
  return {
    foundBy: `Maven Central, on Java ${javaVersion}`,
    version,
    portCount: 2,
    readyWithinMs: 90_000,
    prepare: async (place) => {
      const file = await writeSettings(place);
      const tool = [...SHORT_LIVED, ...classPath, "-Xmx128m", "kafka.tools.StorageTool", "format"];
      formatted ??= format([java, ...tool], { place, file });
      await mkdir(dataOf(place), { recursive: true });
      for (const [name, content] of await formatted) await writeFile(join(dataOf(place), name), content);
    },
    command: ({ folder }) => ({
      file: java,
      args: [...JAVA_OPTIONS, ...classPath, "kafka.Kafka", join(folder, "server.properties")],
    }),
  };
}

const dataOf = ({ folder }: ProgramPlace) => join(folder, "data");

/**
 * The files of an empty data folder, by name. They contain no path and no port, so later brokers of this process reuse
 * those of the first; creating them costs a second of processor time.
 */
let formatted: Promise<Map<string, Buffer>> | null = null;

async function format(
  [java = "", ...tool]: string[],
  { place, file }: { place: ProgramPlace; file: string },
): Promise<Map<string, Buffer>> {
  // From hex digits, so that it cannot begin with a dash, which the program would parse as an option.
  const clusterId = Buffer.from(randomBytes(8).toString("hex")).toString("base64url");
  await run(java, [...tool, "-t", clusterId, "-c", file]);
  const files = new Map<string, Buffer>();
  for (const name of await readdir(dataOf(place))) files.set(name, await readFile(join(dataOf(place), name)));
  return files;
}

/** In `settings` that define their own listeners, `{port}` and `{controllerPort}` stand for the chosen ports. */
async function writeSettings({ folder, ports, settings }: ProgramPlace): Promise<string> {
  const [port, controllerPort] = ports;
  const all = {
    ...SETTINGS,
    "log.dirs": join(folder, "data"),
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    "advertised.listeners": `PLAINTEXT://127.0.0.1:${port}`,
    "controller.quorum.voters": `1@127.0.0.1:${controllerPort}`,
    ...settings,
  };
  const fillPorts = (value: string) =>
    value.replaceAll("{port}", String(port)).replaceAll("{controllerPort}", String(controllerPort));
  const file = join(folder, "server.properties");
  await writeFile(
    file,
    Object.entries(all)
      .map(([name, value]) => `${name}=${fillPorts(value)}\n`)
      .join(""),
  );
  return file;
}

/** `openjdk version "17.0.15"`; before Java 9 the second number counts: `1.8.0`. */
export async function readJavaVersion(java: string): Promise<number> {
  const { stderr, stdout } = await run(java, ["-version"]);
  const [, first, second] = /version "(\d+)(?:\.(\d+))?/.exec(stderr + stdout) ?? [];
  return Number(first === "1" ? second : (first ?? 0));
}
