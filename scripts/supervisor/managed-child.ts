import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { LogFile } from "./log-file.ts";
import { isReadyLine, type LogLine, readLogLine } from "./read-log-line.ts";
import type { Terminal } from "./terminal.ts";

export type ChildPlan = {
  name: string;
  args: string[];
  env: Record<string, string>;
  /** Time to stop gracefully before it is killed, ms. */
  stopWithinMs: number;
  /** While this file exists, an exited child is not restarted. The demo uses it to show an outbox without a relay. */
  holdFile?: string;
};

type Hooks = {
  terminal: Terminal;
  logPath: string;
  cwd: string;
  /** Called with the pid after each start and with null after each end. */
  onPid: (pid: number | null) => void;
};

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 15_000;
const STEADY_AFTER_MS = 60_000;
const HOLD_LOOK_MS = 250;
const SETPRIV = "/usr/bin/setpriv";

/** Keeps one of our programs running: when it exits, it is restarted unless it was asked to stop. */
export class ManagedChild {
  readonly plan: ChildPlan;
  readonly #hooks: Hooks;
  readonly #log: LogFile;
  readonly #lastLines: string[] = [];
  /** Its output while starting, printed once it has started or when it fails to. */
  readonly #held: LogLine[] = [];
  #child: ChildProcess | null = null;
  #stopping = new AbortController();
  #backoffMs = FIRST_BACKOFF_MS;
  #ready = Promise.withResolvers<void>();
  #failed = Promise.withResolvers<never>();
  #steady = false;

  constructor(plan: ChildPlan, hooks: Hooks) {
    this.plan = plan;
    this.#hooks = hooks;
    this.#log = new LogFile(hooks.logPath, (sentence) => hooks.terminal.say(sentence));
    this.#failed.promise.catch(() => undefined);
  }

  start(): void {
    const { command, args } = withParentDeathSignal(process.execPath, this.plan.args);
    const startedAt = Date.now();
    // A separate process group: Ctrl-C reaches only the supervisor, which then stops the children in order.
    const child = spawn(command, args, {
      cwd: this.#hooks.cwd,
      env: { ...process.env, ...this.plan.env } as NodeJS.ProcessEnv,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    this.#readLines(child, "stdout");
    this.#readLines(child, "stderr");
    child.once("spawn", () => this.#hooks.onPid(child.pid ?? null));
    child.once("error", (error) => this.#onEnd(error.message, startedAt));
    child.once("close", (code, signal) => this.#onEnd(signal ?? `exit code ${code}`, startedAt));
  }

  /** Resolves at the child's ready line. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Rejects with the child's last words if it exits before it was marked steady. */
  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  /** From now on an exit causes a restart and does not count as a failed start. */
  markSteady(): void {
    this.#steady = true;
    for (const line of this.#held.splice(0)) this.#hooks.terminal.showLine(this.plan.name, line, this.#log.path);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const child = this.#child;
    if (child === null) return;
    child.kill("SIGTERM");
    const gone = new Promise<void>((resolve) => child.once("close", () => resolve()));
    const patience = new AbortController();
    const late = delay(this.plan.stopWithinMs, true, { signal: patience.signal }).catch(() => false);
    if ((await Promise.race([gone.then(() => false), late])) === true) {
      this.#hooks.terminal.say(
        `  ${this.plan.name} did not stop within ${this.plan.stopWithinMs / 1000} s and is killed`,
      );
    }
    patience.abort();
    this.kill();
    await gone;
  }

  /** Kills the whole process group. */
  kill(): void {
    this.#stopping.abort();
    const pid = this.#child?.pid;
    if (pid !== undefined) killGroup(pid);
  }

  #readLines(child: ChildProcess, stream: "stdout" | "stderr"): void {
    const input = child[stream];
    if (input === null) return;
    createInterface({ input }).on("line", (line) => {
      this.#log.write(line);
      if (isReadyLine(line)) return this.#ready.resolve();
      this.#lastLines.push(line);
      if (this.#lastLines.length > 15) this.#lastLines.shift();
      const read = readLogLine(line, stream);
      if (this.#steady) this.#hooks.terminal.showLine(this.plan.name, read, this.#log.path);
      else this.#held.push(read);
    });
  }

  #onEnd(how: string, startedAt: number): void {
    const pid = this.#child?.pid;
    if (this.#child === null) return;
    this.#child = null;
    if (pid !== undefined) killGroup(pid);
    this.#hooks.onPid(null);
    if (this.#stopping.signal.aborted) return;
    if (!this.#steady) {
      const words = this.#lastLines
        .filter((line) => line.trim() !== "")
        .map((line) => readLogLine(line, "stdout").text)
        .join("\n  ");
      this.#failed.reject(new Error(`${this.plan.name} did not start (${how}):\n  ${words}`));
      return;
    }
    void this.#startAgain(how, startedAt);
  }

  async #startAgain(how: string, startedAt: number): Promise<void> {
    if (Date.now() - startedAt > STEADY_AFTER_MS) this.#backoffMs = FIRST_BACKOFF_MS;
    const waitMs = this.#backoffMs;
    this.#backoffMs = Math.min(LONGEST_BACKOFF_MS, waitMs * 2);
    if (this.#isHeld()) return this.#startWhenReleased();
    this.#hooks.terminal.say(`  ${this.plan.name} ended (${how}); starting it again in ${waitMs / 1000} s`);
    const waited = await delay(waitMs, true, { signal: this.#stopping.signal }).catch(() => false);
    if (waited && !this.#stopping.signal.aborted) this.start();
  }

  #isHeld(): boolean {
    return this.plan.holdFile !== undefined && existsSync(this.plan.holdFile);
  }

  async #startWhenReleased(): Promise<void> {
    this.#hooks.terminal.say(`  ${this.plan.name} is held back by ${this.plan.holdFile}`);
    this.#backoffMs = FIRST_BACKOFF_MS;
    while (this.#isHeld()) {
      const waited = await delay(HOLD_LOOK_MS, true, { signal: this.#stopping.signal }).catch(() => false);
      if (!waited) return;
    }
    this.start();
  }
}

/**
 * On Linux the kernel signals the child when the supervisor dies; elsewhere the next start finds and stops it. "TERM",
 * not "SIGTERM": setpriv compares the prefix by the locale's rules, where a Turkish I is no i.
 */
export function withParentDeathSignal(file: string, args: string[]): { command: string; args: string[] } {
  return existsSync(SETPRIV)
    ? { command: SETPRIV, args: ["--pdeathsig", "TERM", "--", file, ...args] }
    : { command: file, args };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
