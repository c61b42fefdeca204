import type { OutboxHandle } from "../../../runtime.ts";
import type { BulkPlan } from "../bulk-plan.ts";
import type { BulkTally } from "../bulk-tally.ts";
import { LivePace } from "./live-pace.ts";
import { Pace } from "./pace.ts";

/** Operations on fewer messages end before the effect on live traffic is known. */
const FEW_ITEMS = 500;
const LOOK_EVERY_MS = 500;
/** Span over which it is measured whether a rate is reached. */
const MEASURED_MS = 2000;

type Asked = Pick<BulkPlan["settings"], "ratePerSecond" | "rampSeconds">;

/**
 * Number of items of an operation that may be done now: by the operator's rate, otherwise by the effect on live
 * messages.
 */
export class OperationPace {
  readonly #asked: Asked;
  readonly #tally: BulkTally;
  #pace: Pace;
  /** Null at a rate that the operator gave. */
  #live: LivePace | null = null;
  #lookFromMs = 0;

  constructor(asked: Asked, tally: BulkTally) {
    this.#asked = asked;
    this.#tally = tally;
    this.#pace = this.#newPace();
  }

  allowed(): number {
    return this.#pace.allowed(performance.now());
  }

  /** Time until more may be done, ms; 0: now. */
  restMs(): number {
    return this.#pace.restMs(performance.now());
  }

  measured(): number | null {
    return this.#pace.measured(performance.now());
  }

  record(items: number): void {
    this.#pace.record(items, performance.now());
  }

  /** Most retried messages that may be on their way, as far as live messages are concerned. */
  mostReleased(): number {
    return this.#live?.mostReleased(performance.now()) ?? Number.POSITIVE_INFINITY;
  }

  /** True if the operation's note reports its effect on live messages. */
  get isWatching(): boolean {
    return this.#live !== null;
  }

  /** The ramp begins once the canary has passed. */
  begin(): void {
    this.#pace = this.#newPace();
    this.#limit();
  }

  /** Reads the relays' latest figures, at most twice a second. */
  async look({ store, name }: OutboxHandle): Promise<void> {
    const nowMs = performance.now();
    if (nowMs < this.#lookFromMs || this.#asked.ratePerSecond !== null) return;
    if (this.#live === null && this.#tally.of("left") < FEW_ITEMS) return;
    this.#lookFromMs = nowMs + LOOK_EVERY_MS;
    const { relays } = await store.records.relays(name);
    this.#live ??= new LivePace(nowMs);
    this.#live.observe(relays, { nowMs, measured: this.#pace.measured(nowMs, MEASURED_MS) });
    this.#limit();
    this.#tally.note(this.#live.describe(nowMs));
  }

  /** No limit during the canary, which is too small to affect live messages. */
  #limit(): void {
    const waits = this.#tally.progress.canary?.passed === false;
    this.#pace.limitTo(waits ? null : (this.#live?.limit(performance.now()) ?? null));
  }

  #newPace(): Pace {
    const { ratePerSecond, rampSeconds } = this.#asked;
    return new Pace({ ratePerSecond, rampSeconds, now: performance.now() });
  }
}
