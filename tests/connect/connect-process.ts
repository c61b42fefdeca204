import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { choosePorts } from "../brokers/choose-ports.ts";
import { runWhenOwnerIsGone } from "../brokers/watch-owner.ts";
import { startWatched, type WatchedProcess } from "../brokers/watched-process.ts";
import { waitFor } from "../wait-for.ts";
import type { ConnectJars } from "./connect-jars.ts";

const READY_WITHIN_MS = 240_000;
/** It runs for a minute: optimising compilation and parallel garbage collection cost more than they gain. */
const JAVA_OPTIONS = [
  "-XX:TieredStopAtLevel=1",
  "-XX:+UseSerialGC",
  "-Xshare:auto",
  "-Xms128m",
  "-Xmx512m",
  "-Djava.awt.headless=true",
];
const USER_FILE = "secrets.properties";

export interface ConnectProcess {
  /** Of the REST API, without a slash at the end. */
  url: string;
  /** Placeholder for the database's password in a connector's configuration. */
  password: string;
  /** Null after `kill`. */
  pid(): number | null;
  /** SIGKILL, without time to store offsets. */
  kill(): Promise<void>;
  /** After `kill`: starts it on the same port, with the stored offsets and without a connector. */
  start(): Promise<void>;
}

interface Input {
  jars: ConnectJars;
  /** Empty; the caller removes it. */
  folder: string;
  brokers: readonly string[];
  /** Of the database, for the connectors. */
  password: string;
}

/** Kafka Connect as one process that keeps its offsets in a file. It ends with this process, even after SIGKILL. */
export async function startConnect(input: Input): Promise<ConnectProcess> {
  const { jars, folder, password } = input;
  // Every entry of the path is a plugin with its own class loader.
  const plugins = join(folder, "plugins");
  await mkdir(plugins, { recursive: true });
  for (const plugin of jars.plugins) await symlink(plugin.folder, join(plugins, plugin.name));
  const [port = 0] = await choosePorts(1);
  const url = `http://127.0.0.1:${port}`;
  await writeFile(join(folder, USER_FILE), `password=${password}\n`);
  await writeFile(join(folder, "worker.properties"), settingsOf({ ...input, plugins, url }));
  let running: { child: WatchedProcess; callOff(): void } | null = null;
  const start = async () => {
    running = await run(jars, folder);
    const { child } = running;
    await waitFor(
      async () => {
        if (child.hasExited()) throw new Error(`Kafka Connect has ended: ${join(folder, "connect.log")}`);
        return (await fetch(`${url}/connectors`)).ok;
      },
      { timeoutMs: READY_WITHIN_MS, intervalMs: 200, message: "Kafka Connect answers" },
    );
  };
  await start();
  return {
    url,
    password: `\${file:${join(folder, USER_FILE)}:password}`,
    pid: () => running?.child.pid ?? null,
    start,
    async kill() {
      running?.child.killGroup();
      await running?.child.exited;
      running?.callOff();
      running = null;
    },
  };
}

async function run({ java, connect }: ConnectJars, folder: string) {
  const watcher = runWhenOwnerIsGone('kill -9 "-$last"', []);
  const args = [
    ...JAVA_OPTIONS,
    "-cp",
    join(connect, "*"),
    "org.apache.kafka.connect.cli.ConnectStandalone",
    "worker.properties",
  ];
  const logFile = join(folder, "connect.log");
  const child = await startWatched({ file: java, args }, { folder, logFile, watcher });
  return { child, callOff: () => watcher.callOff() };
}

function settingsOf({ folder, brokers, plugins, url }: Input & { plugins: string; url: string }): string {
  const converter = "org.apache.kafka.connect.json.JsonConverter";
  const settings = {
    "bootstrap.servers": brokers.join(","),
    "key.converter": converter,
    "value.converter": converter,
    "offset.storage.file.filename": join(folder, "offsets"),
    "plugin.path": plugins,
    "plugin.discovery": "service_load",
    listeners: url,
    // A cancelled task stores no offset, and on a busy machine the default of 5 s is too short.
    "task.shutdown.graceful.timeout.ms": "60000",
    "config.providers": "file",
    "config.providers.file.class": "org.apache.kafka.common.config.provider.FileConfigProvider",
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
}
