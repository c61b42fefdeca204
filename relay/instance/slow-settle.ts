import { NOT_YET_WRITTEN, OUTCOMES_UNWRITTEN } from "#domain/relay/unwritten-outcomes.ts";
import type { Moment } from "../clock/database-clock.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import type { RelayStats } from "../pipeline/state/relay-stats.ts";

/** A settle takes milliseconds; one that takes longer than this waits for something, such as a lock. */
const SLOW_SETTLE_MS = 2000;

/** Reports a slow settle before the database gives up on it: a lock, a slow statement, or a line that is cut. */
export class SlowSettle {
  readonly #stats: RelayStats;
  /** Start of the one that was last reported. */
  #said: Moment | null = null;

  constructor(stats: RelayStats) {
    this.#stats = stats;
  }

  note({ settlingSince, unwritten }: Pick<Pipeline, "settlingSince" | "unwritten">): void {
    if (!settlingSince || performance.now() - settlingSince.monoMs < SLOW_SETTLE_MS) return;
    if (this.#said && this.#said.monoMs >= settlingSince.monoMs) return;
    const { lastError, lastErrorAt } = this.#stats;
    // The store has reported the reason.
    if (lastError?.startsWith(OUTCOMES_UNWRITTEN) && lastErrorAt && lastErrorAt.monoMs >= settlingSince.monoMs) return;
    this.#said = settlingSince;
    const messages = unwritten === 1 ? "The outcome of a message" : `Outcomes of ${unwritten} messages`;
    this.#stats.lastError = `${messages} could not be written for ${SLOW_SETTLE_MS / 1000} s: ${NOT_YET_WRITTEN}.`;
  }
}
