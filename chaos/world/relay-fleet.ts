import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { runWhenOwnerIsGone, type Watcher } from "#tests/brokers/watch-owner.ts";
import { programPath } from "#tests/program-path.ts";
import type { EventLog } from "../event-log.ts";

const PRELOAD = join(import.meta.dirname, "preload.mjs");

interface Running {
  child: ChildProcess;
  watcher: Watcher;
  exited: Promise<number | null>;
}

/** Real relay processes, each in a slot with separate lines to the database and the sink. */
export class RelayFleet {
  readonly #running = new Map<number, Running>();
  readonly #folder: string;
  readonly #configOf: (slot: number) => string;
  readonly #log: EventLog;
  #started = 0;

  constructor(input: { folder: string; configOf: (slot: number) => string; log: EventLog }) {
    this.#folder = input.folder;
    this.#configOf = input.configOf;
    this.#log = input.log;
  }

  get started(): number {
    return this.#started;
  }

  get live(): number[] {
    return [...this.#running.keys()];
  }

  get pids(): number[] {
    return [...this.#running.values()].flatMap(({ child }) => child.pid ?? []);
  }

  /** Does nothing while the slot has a process. */
  async start(slot: number, clockShiftMs = 0): Promise<void> {
    if (this.#running.has(slot)) return;
    this.#started += 1;
    const name = `relay-${slot}-${this.#started}`;
    const config = join(this.#folder, `outbox-${slot}.yaml`);
    await writeFile(config, this.#configOf(slot));
    const child = spawn(process.execPath, ["--import", PRELOAD, programPath("relay/main.ts")], {
      env: { ...process.env, OUTBOX_CONFIG: config, NODE_OPTIONS: "", CLOCK_SHIFT_MS: String(clockShiftMs) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    child.stderr?.pipe(createWriteStream(join(this.#folder, `${name}.log`)));
    if (child.stderr) createInterface(child.stderr).on("line", (line) => this.#listen(slot, line));
    const watcher = runWhenOwnerIsGone('kill -9 "$1"', [String(child.pid)]);
    const exited = once(child, "exit").then(([code, signal]) => {
      watcher.callOff();
      this.#running.delete(slot);
      this.#log.note("relay-ended", { slot, name, code, signal });
      return code as number | null;
    });
    this.#running.set(slot, { child, watcher, exited });
    this.#log.note("relay-started", { slot, name, pid: child.pid, clockShiftMs });
  }

  /** Log lines that explain duplicates: a relay could not renew and aborted its messages in flight, or it stalled. */
  #listen(slot: number, line: string): void {
    if (line.includes("lease not renewed in time")) this.#log.begin("lease-ran-out", slot)();
    const stoodMs = /"stood still","stoodMs":(\d+)/.exec(line)?.[1];
    if (stoodMs !== undefined) this.#log.begin("machine-stall", slot, Number(stoodMs))();
  }

  /** Resolves with the exit code once the process has exited; null if a signal ended it. */
  async end(slot: number, signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
    const running = this.#running.get(slot);
    if (!running) return 0;
    running.child.kill(signal);
    return running.exited;
  }

  signal(slot: number, signal: "SIGSTOP" | "SIGCONT"): boolean {
    return this.#running.get(slot)?.child.kill(signal) ?? false;
  }

  async killAll(): Promise<void> {
    await Promise.all(this.live.map((slot) => this.end(slot, "SIGKILL")));
  }
}
