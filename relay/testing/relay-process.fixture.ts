import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programPath } from "#tests/program-path.ts";
import { type RelayYaml, relayYaml } from "./outbox.fixture.ts";

const CLOCK = join(import.meta.dirname, "..", "..", "tests", "shifted-clock.mjs");

export interface RelayProcess {
  child: ChildProcess;
  /** Lines of its log so far. */
  log(): string;
  kill(signal: NodeJS.Signals): void;
  exited: Promise<void>;
}

export interface RelayProgram {
  /** Path in the project's folder; the relays alone by default. */
  program?: string;
  /** Further lines of the configuration, at its top. */
  lines?: string[];
  /** Offset of its wall clock from this machine's, ms. */
  clockShiftMs?: number;
}

/** Starts a relay in its own process, as in production, which tests can kill, freeze and resume. */
export async function startRelayProcess(
  settings: RelayYaml | { yaml: string },
  { program = "relay/main.ts", lines = [], clockShiftMs = 0 }: RelayProgram = {},
): Promise<RelayProcess> {
  const folder = await mkdtemp(join(tmpdir(), "relay-process-"));
  const config = join(folder, "outbox.yaml");
  await writeFile(config, [...lines, "yaml" in settings ? settings.yaml : relayYaml(settings)].join("\n"));
  const preload = clockShiftMs === 0 ? [] : ["--import", CLOCK];
  const child = spawn(process.execPath, [...preload, programPath(program)], {
    env: {
      ...process.env,
      OUTBOX_CONFIG: config,
      NODE_OPTIONS: "",
      CLOCK_SHIFT_MS: String(clockShiftMs),
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
  const exited = once(child, "exit").then(() => rm(folder, { recursive: true, force: true }));
  return { child, log: () => log, kill: (signal) => child.kill(signal), exited };
}
