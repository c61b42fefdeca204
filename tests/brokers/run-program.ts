import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isPortFree } from "#db/embedded/free-port.ts";
import { waitFor } from "#tests/wait-for.ts";
import type { BrokerOptions, OwnBroker } from "./broker.ts";
import { type BrokerKind, brokerUrl } from "./broker-kinds.ts";
import type { BrokerProgram, ProgramPlace } from "./broker-program.ts";
import { choosePorts } from "./choose-ports.ts";
import { type Probe, probeBroker } from "./probe-broker.ts";
import type { Watcher } from "./watch-owner.ts";
import { startWatched, type WatchedProcess, watchFolder } from "./watched-process.ts";

const ATTEMPTS = 3;
const STOP_WITHIN_MS = 20_000;
const GONE_WITHIN_MS = 20_000;
const LOG_END_BYTES = 4_096;

/** Runs a broker from a program, in a separate folder and on separate loopback ports; resolves once it answers. */
export async function runProgram(kind: BrokerKind, program: BrokerProgram, options: BrokerOptions): Promise<OwnBroker> {
  for (let attempt = 1; ; attempt++) {
    const place = await makePlace(kind, program, options.settings ?? {});
    const run = new ProgramRun(kind, program, place);
    try {
      await program.prepare(place);
      const probe = await run.start();
      return describe(kind, program, run, probe);
    } catch (error) {
      await run.remove();
      // Another process may take the port between choosing it and listening on it.
      if (attempt === ATTEMPTS || !/in use|eaddrinuse/i.test(String(error))) throw error;
    }
  }
}

async function makePlace(kind: BrokerKind, program: BrokerProgram, settings: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), `outbox-console-${kind}-`));
  return { folder, ports: await choosePorts(program.portCount), settings };
}

function describe(kind: BrokerKind, program: BrokerProgram, run: ProgramRun, probe: Probe): OwnBroker {
  const port = run.place.ports[0] as number;
  return {
    kind,
    url: brokerUrl(kind, port),
    addresses: [`127.0.0.1:${port}`],
    host: "127.0.0.1",
    port,
    version: probe.version ?? program.version,
    foundBy: program.foundBy,
    folder: run.place.folder,
    pid: () => run.pid(),
    isRunning: () => run.isRunning(),
    start: async () => {
      await run.start();
    },
    stop: () => run.stop(),
    kill: () => run.kill(),
    restart: async (how = "stop") => {
      await (how === "kill" ? run.kill() : run.stop());
      await run.start();
    },
    remove: () => run.remove(),
    readLog: () => run.readLog(),
  };
}

class ProgramRun {
  readonly place: ProgramPlace;
  readonly #kind: BrokerKind;
  readonly #program: BrokerProgram;
  readonly #watcher: Watcher;
  #process: WatchedProcess | null = null;

  constructor(kind: BrokerKind, program: BrokerProgram, place: ProgramPlace) {
    this.#kind = kind;
    this.#program = program;
    this.place = place;
    this.#watcher = watchFolder(place.folder);
  }

  pid(): number | null {
    return this.#process?.pid ?? null;
  }

  isRunning(): boolean {
    return this.#process !== null && !this.#process.hasExited();
  }

  async start(): Promise<Probe> {
    const { folder, ports } = this.place;
    if (!this.isRunning()) {
      await this.kill();
      this.#process = await startWatched(this.#program.command(this.place), {
        folder,
        logFile: this.#logFile(),
        watcher: this.#watcher,
      });
    }
    try {
      const { probe } = await waitFor(() => this.#answer(ports[0] as number), {
        timeoutMs: this.#program.readyWithinMs,
        intervalMs: 25,
        message: `${this.#kind} answers`,
      });
      // If ours has ended and the port answers, another broker took the port first.
      if (probe !== null && this.isRunning()) return probe;
      throw new Error(`${this.#kind} ended while it started.`);
    } catch (error) {
      await this.kill();
      throw new Error(`${this.#kind} did not start. The end of its log:\n${await this.readLog()}`, { cause: error });
    }
  }

  async #answer(port: number): Promise<{ probe: Probe | null } | null> {
    const probe = await probeBroker(this.#kind, "127.0.0.1", port);
    return probe !== null || !this.isRunning() ? { probe } : null;
  }

  async stop(): Promise<void> {
    const running = this.#process;
    if (running === null) return;
    running.terminate();
    const patience = AbortSignal.timeout(STOP_WITHIN_MS);
    await Promise.race([running.exited, new Promise((resolve) => patience.addEventListener("abort", resolve))]);
    await this.kill();
  }

  /** Child processes need not exit at the same moment, and hold the ports and the data until then. */
  async kill(): Promise<void> {
    const running = this.#process;
    if (running === null) return;
    this.#process = null;
    running.killGroup();
    await running.exited;
    await waitFor(async () => (await Promise.all(this.place.ports.map(isPortFree))).every(Boolean), {
      timeoutMs: GONE_WITHIN_MS,
      message: `${this.#kind} has given back its ports`,
    });
  }

  async remove(): Promise<void> {
    await this.kill();
    this.#watcher.callOff();
    await rm(this.place.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #logFile(): string {
    return join(this.place.folder, "output.log");
  }

  async readLog(): Promise<string> {
    const file = await open(this.#logFile(), "r").catch(() => null);
    if (file === null) return "";
    try {
      const { size } = await file.stat();
      const length = Math.min(size, LOG_END_BYTES);
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
      return buffer.toString("utf8");
    } finally {
      await file.close();
    }
  }
}
