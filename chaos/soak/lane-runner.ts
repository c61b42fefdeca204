import { CallWatch } from "./call-watch.ts";
import { type Contender, failedWith } from "./contenders/contender.ts";
import { openContender } from "./contenders/open-contender.ts";
import { Lanes } from "./lanes.ts";
import type { CandidateCommand, CandidateMessage, CandidateReport, RunnerInput } from "./runner-protocol.ts";
import { type Place, soakMessage } from "./soak-message.ts";

/** How often lanes are looked through for messages that have fallen due, ms. */
const TICK_MS = 20;

/** Publishes the lanes' messages through one candidate, until asked to finish. */
class LaneRunner {
  readonly #contender: Contender;
  readonly #lanes: Lanes;
  readonly #calls: CallWatch;
  readonly #most: { most: number; run: number };
  readonly #errors: Record<string, number> = {};
  readonly #never = new AbortController().signal;
  readonly #cpu = process.cpuUsage();
  readonly #ticking: NodeJS.Timeout;
  #onConfirmed: () => void = () => undefined;

  constructor(contender: Contender, input: RunnerInput) {
    this.#contender = contender;
    this.#lanes = new Lanes({ count: input.lanes, rate: input.rate, beginMs: Date.now() });
    this.#calls = new CallWatch(input.callLimitMs);
    this.#most = { most: contender.maxBatch, run: contender.keepsOrderInBatch ? input.run : 1 };
    this.#ticking = setInterval(() => this.#pump(), TICK_MS);
  }

  /** Resolves when everything due is confirmed, or after `withinMs`. */
  async finish(withinMs: number): Promise<void> {
    const nowMs = Date.now();
    this.#lanes.end(nowMs);
    const due = this.#lanes.dueBy(nowMs);
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, withinMs);
      this.#onConfirmed = () => {
        if (this.#lanes.confirmed < due) return;
        clearTimeout(late);
        resolve();
      };
      this.#onConfirmed();
    });
    clearInterval(this.#ticking);
  }

  report(broke: string | null): CandidateReport {
    const { user, system } = process.cpuUsage(this.#cpu);
    return {
      ...this.#calls.figures(),
      confirmedAtMs: this.#lanes.confirmedAtMs,
      due: this.#lanes.dueBy(Date.now()),
      errors: this.#errors,
      cpuMicros: user + system,
      // In kilobytes.
      memoryBytes: process.resourceUsage().maxRSS * 1024,
      broke,
    };
  }

  #pump(): void {
    const places = this.#lanes.take(Date.now(), this.#most);
    if (places.length > 0) void this.#publish(places);
  }

  async #publish(places: Place[]): Promise<void> {
    const answered = this.#calls.begin();
    const outcomes = await this.#contender.publish(places.map(soakMessage), this.#never).catch((error: unknown) => {
      const failed = failedWith(error);
      return places.map(() => failed);
    });
    answered();
    for (const outcome of outcomes) {
      if (outcome.kind === "published") continue;
      const name = outcome.kind === "failed" ? `${outcome.failure.kind} ${outcome.failure.code}` : outcome.kind;
      this.#errors[name] = (this.#errors[name] ?? 0) + 1;
    }
    const published = outcomes.map(({ kind }) => kind === "published");
    this.#lanes.settle(places, published, Date.now());
    this.#onConfirmed();
    // With much to catch up, as after a fault, it does not wait for the next tick.
    if (this.#lanes.ready(Date.now()) * 2 >= this.#lanes.confirmedAtMs.length) this.#pump();
  }
}

const input = JSON.parse(process.argv[2] ?? "{}") as RunnerInput;
const tell = (message: CandidateMessage) => process.send?.(message);
let runner: LaneRunner | undefined;

/** What a client throws outside of any call would end its process in production too. */
function breakDown(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (process.send === undefined || runner === undefined) {
    console.error(text);
    process.exit(1);
  }
  process.send({ kind: "done", report: runner.report(text) } satisfies CandidateMessage, () => process.exit(1));
}
process.on("uncaughtException", breakDown);
// The parent is gone.
process.on("disconnect", () => process.exit(1));

const contender = await openContender(input.candidate, input);
await contender.connect();
process.on("message", async (command: CandidateCommand) => {
  if (command.kind === "begin") {
    runner = new LaneRunner(contender, input);
    return;
  }
  await runner?.finish(command.withinMs);
  if (runner) tell({ kind: "done", report: runner.report(null) });
});
tell({ kind: "ready" });
