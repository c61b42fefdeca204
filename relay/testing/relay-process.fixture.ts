import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RelayYaml, relayYaml } from "./outbox.fixture.ts";

export interface RelayProcess {
  child: ChildProcess;
  /** Lines of its log so far. */
  log(): string;
  kill(signal: NodeJS.Signals): void;
  exited: Promise<void>;
}

/** A relay in a process of its own, as in production: to be killed, stopped and woken again. */
export async function startRelayProcess(settings: RelayYaml): Promise<RelayProcess> {
  const folder = await mkdtemp(join(tmpdir(), "relay-process-"));
  const config = join(folder, "outbox.yaml");
  await writeFile(config, relayYaml(settings));
  const child = spawn(process.execPath, [join(import.meta.dirname, "..", "main.ts")], {
    env: { ...process.env, OUTBOX_CONFIG: config, NODE_OPTIONS: "" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
  const exited = once(child, "exit").then(() => rm(folder, { recursive: true, force: true }));
  return { child, log: () => log, kill: (signal) => child.kill(signal), exited };
}
