import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findFreePort } from "#tests/free-port.ts";
import { programPath } from "#tests/program-path.ts";
import { startTcpProxy, type TcpProxy } from "#tests/tcp-proxy.ts";
import { waitFor } from "#tests/wait-for.ts";
import { type Program, startProgram } from "../../e2e/fixtures/program.ts";
import { serverArgs } from "../../scripts/lib/server-args.mjs";
import { waitUntilLive } from "../../scripts/supervisor/wait-until-live.ts";
import { ConsoleClient } from "./console-client.ts";
import { createStreams } from "./create-streams.ts";
import { Sink } from "./sink.ts";
import { type OutboxSpec, type StackParts, stackConfig } from "./stack-config.ts";
import type { IncidentStore } from "./stores/incident-store.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const CLOCK = pathToFileURL(join(ROOT, "tests", "shifted-clock.mjs")).href;
const PROGRAMS = { worker: "scripts/worker.ts", relay: "relay/main.ts" };
const STARTS_WITHIN_MS = 90_000;

export interface Shift {
  /** How far the program's wall clock is ahead, ms. */
  clockShiftMs?: number;
}

export interface StackInput {
  store: IncidentStore;
  /** Database of the console's own records, where they are not in the store. */
  consoleUrl?: string;
  specs: readonly OutboxSpec[];
}

/** A console and a worker over one database, each a separate process with a separate line to the database. */
export class Stack {
  readonly store: IncidentStore;
  readonly specs: readonly OutboxSpec[];
  readonly sinks: ReadonlyMap<string, Sink>;
  readonly #parts: StackParts;
  readonly consoleLine: TcpProxy;
  readonly workerLine: TcpProxy;
  readonly #folder = mkdtempSync(join(tmpdir(), "outbox-console-incidents-"));
  readonly #consolePort: number;
  readonly client: ConsoleClient;
  #console: Program | null = null;
  #worker: Program | null = null;

  private constructor(input: { parts: StackParts; lines: readonly [TcpProxy, TcpProxy]; consolePort: number }) {
    const { parts } = input;
    this.#parts = parts;
    this.store = parts.store;
    this.specs = parts.specs;
    this.sinks = parts.sinks;
    [this.consoleLine, this.workerLine] = input.lines;
    this.#consolePort = input.consolePort;
    this.client = new ConsoleClient(`http://127.0.0.1:${input.consolePort}`);
  }

  static async start(input: StackInput): Promise<Stack> {
    const { store, consoleUrl = null, specs } = input;
    const sinks = new Map<string, Sink>();
    for (const { name, table, layout } of specs) {
      await store.createTable(table, layout);
      sinks.set(name, await Sink.start());
    }
    const { port } = store;
    const parts: StackParts = { store, consoleUrl, specs, sinks };
    const lines = [await startTcpProxy({ port }), await startTcpProxy({ port })] as const;
    const stack = new Stack({ parts, lines, consolePort: await findFreePort() });
    try {
      await stack.createStreams();
      await Promise.all([stack.startConsole(), stack.startWorker()]);
      return stack;
    } catch (error) {
      await stack.close();
      throw error;
    }
  }

  /** What relays that read the log need, where it is missing, as `npm run migrate -- --cdc` creates it. */
  async createStreams(): Promise<void> {
    if (this.specs.some(({ relay }) => relay.source === "cdc"))
      await createStreams(JSON.stringify(stackConfig(this.#parts, this.store.port)));
  }

  async startConsole({ clockShiftMs = 0 }: Shift = {}): Promise<void> {
    const port = String(this.#consolePort);
    this.#console = startProgram({
      name: "console",
      args: serverArgs(ROOT),
      env: {
        ...this.#environment("console", this.consoleLine, clockShiftMs),
        HOST: "127.0.0.1",
        PORT: port,
      },
    });
    await Promise.race([waitUntilLive(this.client.base), this.#console.ended()]);
  }

  async stopConsole(): Promise<void> {
    await this.#console?.stop();
    this.#console = null;
  }

  /** Resolves once it owns the outboxes in `owns`; default: every relayed one. */
  async startWorker(
    options: Shift & { program?: keyof typeof PROGRAMS; owns?: readonly string[] } = {},
  ): Promise<void> {
    const { clockShiftMs = 0, program = "worker" } = options;
    const worker = startProgram({
      name: program,
      args: [programPath(PROGRAMS[program])],
      env: this.#environment("worker", this.workerLine, clockShiftMs),
    });
    this.#worker = worker;
    const owns = options.owns ?? this.specs.filter(({ relayed }) => relayed).map(({ name }) => name);
    const ready = waitFor(() => this.#ownsAll(worker.pid, owns), {
      timeoutMs: STARTS_WITHIN_MS,
      intervalMs: 50,
      message: `the worker owns ${owns.join(", ")}`,
    });
    await Promise.race([ready, worker.ended()]);
  }

  async #ownsAll(pid: number, owns: readonly string[]): Promise<boolean> {
    const owned = await this.store.ownedBy(pid);
    return owns.every((name) => owned.includes(name));
  }

  /** SIGTERM as in a deployment; resolves when it has exited. */
  async stopWorker(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    this.#worker = null;
    signal(worker, "SIGTERM");
    await worker.ended().catch(() => undefined);
  }

  async killWorker(): Promise<void> {
    await this.#worker?.kill();
    this.#worker = null;
  }

  signalWorker(name: "SIGSTOP" | "SIGCONT"): void {
    if (this.#worker) signal(this.#worker, name);
  }

  /** The programs' last log lines, for a failure's report. */
  output(): string {
    return [this.#console?.output(), this.#worker?.output()].filter(Boolean).join("\n");
  }

  async close(): Promise<void> {
    this.signalWorker("SIGCONT");
    await Promise.all([this.#worker?.kill(), this.#console?.kill()]);
    await Promise.all([this.consoleLine.close(), this.workerLine.close()]);
    for (const sink of this.sinks.values()) await sink.close();
    await this.store.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #environment(name: string, line: TcpProxy, clockShiftMs: number): Record<string, string> {
    const path = join(this.#folder, `${name}.yaml`);
    // JSON is YAML.
    writeFileSync(path, JSON.stringify(stackConfig(this.#parts, line.port)), { mode: 0o600 });
    const shift = { NODE_OPTIONS: `--import ${CLOCK}`, CLOCK_SHIFT_MS: String(clockShiftMs) };
    return { OUTBOX_CONFIG: path, ...(clockShiftMs === 0 ? {} : shift) };
  }
}

/** A program that has already exited needs no signal. */
function signal(program: Program, name: NodeJS.Signals): void {
  try {
    process.kill(program.pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
