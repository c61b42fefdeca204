import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { waitFor } from "#tests/wait-for.ts";
import type { BrokerOptions, OwnBroker } from "./broker.ts";
import { type BrokerKind, brokerUrl } from "./broker-kinds.ts";
import { choosePorts } from "./choose-ports.ts";
import { writeComposeOverride } from "./compose-override.ts";
import { probeBroker } from "./probe-broker.ts";
import { runWhenOwnerIsGone } from "./watch-owner.ts";

const COMPOSE_FILE = fileURLToPath(new URL("../../deploy/compose.test.yaml", import.meta.url));

/** An image may have to be pulled first. */
const COMMAND_WITHIN_MS = 240_000;
const READY_WITHIN_MS = 90_000;

/** Runs a broker by Docker Compose as a separate project; resolves once it answers. */
export async function runContainer(docker: string, kind: BrokerKind, options: BrokerOptions): Promise<OwnBroker> {
  const folder = await mkdtemp(join(tmpdir(), `outbox-console-${kind}-`));
  const [port] = (await choosePorts(1)) as [number];
  const compose = await composeCommand({ docker, kind, folder, port, settings: options.settings ?? {} });
  const watcher = runWhenOwnerIsGone('folder=$1; shift; "$@"; rm -rf -- "$folder"', [folder, ...compose.removal]);
  let running = false;
  const start = async () => {
    await compose.run(["up", "--detach", "--no-recreate", kind]);
    running = true;
    return waitFor(() => probeBroker(kind, "127.0.0.1", port), {
      timeoutMs: READY_WITHIN_MS,
      intervalMs: 50,
      message: `${kind} answers in its container`,
    });
  };
  const end = (how: "stop" | "kill") => async () => {
    if (!running) return;
    running = false;
    await compose.run([how, kind]);
  };
  const remove = async () => {
    running = false;
    await compose.run(REMOVE);
    watcher.callOff();
    await rm(folder, { recursive: true, force: true });
  };
  const [stop, kill] = [end("stop"), end("kill")];
  try {
    const { version } = await start();
    return {
      ...{ kind, url: brokerUrl(kind, port), addresses: [`127.0.0.1:${port}`], host: "127.0.0.1", port, version },
      ...{ foundBy: "Docker", folder, pid: () => null, isRunning: () => running, stop, kill, remove },
      start: async () => void (await start()),
      restart: async (how = "stop") => {
        await (how === "kill" ? kill() : stop());
        await start();
      },
      readLog: () => compose.run(["logs", "--no-color", "--tail", "50", kind]),
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

const REMOVE = ["down", "--volumes", "--timeout", "0"];

type ComposePlace = {
  docker: string;
  kind: BrokerKind;
  folder: string;
  port: number;
  settings: Record<string, string>;
};

async function composeCommand({ docker, kind, folder, port, settings }: ComposePlace) {
  const override = await writeComposeOverride(kind, folder, settings);
  // Compose accepts lower case only; the folder's name is unique.
  const project = basename(folder).toLowerCase();
  const fixed = ["compose", "--project-name", project, "--file", COMPOSE_FILE, "--file", override];
  const env = { ...process.env, [`${kind.toUpperCase()}_PORT`]: String(port) };
  return {
    run: async (args: string[]): Promise<string> => {
      const options = { env, timeout: COMMAND_WITHIN_MS };
      return (await promisify(execFile)(docker, [...fixed, ...args], options)).stdout;
    },
    removal: [docker, ...fixed, ...REMOVE],
  };
}
