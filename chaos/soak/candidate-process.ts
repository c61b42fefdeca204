import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { CandidateCommand, CandidateMessage, CandidateReport, RunnerInput } from "./runner-protocol.ts";

const RUNNER = join(import.meta.dirname, "lane-runner.ts");
const READY_WITHIN_MS = 60_000;
/** Time beyond the drain in which a live process reports, ms. */
const REPORT_MS = 10_000;

/** One candidate in a separate process, which isolates its CPU time and its hangs. */
export class CandidateProcess {
  readonly #child: ChildProcess;
  readonly #ready: Promise<unknown>;
  readonly #done: Promise<CandidateReport | string>;

  constructor(input: RunnerInput) {
    this.#child = fork(RUNNER, [JSON.stringify(input)], {
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#ready = this.#message("ready");
    this.#done = Promise.race([
      this.#message("done").then(({ report }) => report),
      once(this.#child, "exit").then(([code, signal]) => `its process ended with ${signal ?? code}`),
    ]);
  }

  async ready(): Promise<void> {
    const ended = this.#done.then((why) => {
      throw new Error(`A candidate could not begin: ${typeof why === "string" ? why : why.broke}.`);
    });
    await within(READY_WITHIN_MS, Promise.race([this.#ready, ended]), () => {
      throw new Error("A candidate does not begin.");
    });
  }

  begin(): void {
    this.#tell({ kind: "begin" });
  }

  /** The report, or a sentence why there is none. */
  async finish(withinMs: number): Promise<CandidateReport | string> {
    this.#tell({ kind: "finish", withinMs });
    return within(withinMs + REPORT_MS, this.#done, () => "its process no longer answers");
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill("SIGKILL");
    await once(this.#child, "exit");
  }

  #tell(command: CandidateCommand): void {
    // A process that has ended is reported by `finish`.
    this.#child.send(command, () => undefined);
  }

  #message<K extends CandidateMessage["kind"]>(kind: K): Promise<Extract<CandidateMessage, { kind: K }>> {
    return new Promise((resolve) => {
      this.#child.on("message", (message: CandidateMessage) => {
        if (message.kind === kind) resolve(message as Extract<CandidateMessage, { kind: K }>);
      });
    });
  }
}

async function within<T>(ms: number, work: Promise<T>, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), ms);
  });
  try {
    const first = await Promise.race([work.then((value) => ({ value })), timedOut]);
    return first === "late" ? late() : first.value;
  } finally {
    clearTimeout(timer);
  }
}
