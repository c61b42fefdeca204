import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { choosePorts } from "#tests/brokers/choose-ports.ts";
import { findProgram } from "#tests/brokers/find-program.ts";
import { runWhenOwnerIsGone } from "#tests/brokers/watch-owner.ts";
import { startWatched } from "#tests/brokers/watched-process.ts";
import { mavenJars } from "#tests/maven-jars.ts";
import { waitFor } from "#tests/wait-for.ts";

const CONNECT = { title: "Kafka Connect", name: "connect", groupId: "org.apache.kafka", artifactId: "connect-runtime" };
const DEBEZIUM = {
  title: "Debezium",
  name: "debezium-postgres",
  groupId: "io.debezium",
  artifactId: "debezium-connector-postgres",
};
export const VERSIONS = { connect: "4.2.1", debezium: "3.7.0.Final" };
const READY_WITHIN_MS = 300_000;

export interface ConnectProcess {
  /** Of the REST API, without a slash at the end. */
  url: string;
  stop(): Promise<void>;
}

/** Kafka Connect, standalone, with Debezium's connector for Postgres; both from Maven Central. Needs Java 17 and mvn. */
export async function startConnect(input: {
  folder: string;
  brokers: string;
  password: string;
  say: (line: string) => void;
}): Promise<ConnectProcess> {
  const { folder, brokers, password, say } = input;
  const java = findProgram("java", []);
  if (java === null) throw new Error("There is no java on this machine.");
  const jars = await mavenJars({ ...CONNECT, version: VERSIONS.connect }, say);
  const plugin = await mavenJars({ ...DEBEZIUM, version: VERSIONS.debezium }, say);
  // Every entry of the path is a plugin with class loaders of its own.
  const plugins = join(folder, "plugins");
  await mkdir(plugins);
  await symlink(plugin, join(plugins, "debezium"));
  const [port = 0] = await choosePorts(1);
  const url = `http://127.0.0.1:${port}`;
  await writeFile(join(folder, "secrets.properties"), `orders.password=${password}\n`);
  await writeFile(join(folder, "worker.properties"), settingsOf({ folder, brokers, plugins, url }));
  const watcher = runWhenOwnerIsGone('kill -9 "-$last"', []);
  const command = {
    file: java,
    args: [
      "-Xmx1g",
      "-XX:+UseSerialGC",
      "-cp",
      join(jars, "*"),
      "org.apache.kafka.connect.cli.ConnectStandalone",
      "worker.properties",
    ],
  };
  const child = await startWatched(command, { folder, logFile: join(folder, "connect.log"), watcher });
  await waitFor(async () => (await fetch(`${url}/connectors`)).ok, {
    timeoutMs: READY_WITHIN_MS,
    intervalMs: 200,
    message: "Kafka Connect answers",
  });
  return {
    url,
    async stop() {
      child.killGroup();
      await child.exited;
      watcher.callOff();
      await rm(join(folder, "secrets.properties"), { force: true });
    },
  };
}

function settingsOf({ folder, brokers, plugins, url }: Record<"folder" | "brokers" | "plugins" | "url", string>) {
  const converter = "org.apache.kafka.connect.json.JsonConverter";
  const settings = {
    "bootstrap.servers": brokers,
    "key.converter": converter,
    "value.converter": converter,
    "offset.storage.file.filename": join(folder, "offsets"),
    "plugin.path": plugins,
    "plugin.discovery": "service_load",
    listeners: url,
    "config.providers": "file",
    "config.providers.file.class": "org.apache.kafka.common.config.provider.FileConfigProvider",
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
}
