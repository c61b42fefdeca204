import type { Watermark } from "../../state/watermark.ts";
import { IDLE_POLL_MS } from "../poll-intervals.ts";

/**
 * Rests between slow reads that find nothing. Only reads rest: due retries, probes and followed aggregates are still
 * searched for at the usual intervals. A rest ends early if new rows were announced, or if rows must be read again.
 */
export class ReadRest {
  readonly #watermark: Pick<Watermark, "generation">;
  #untilMs = 0;
  #generation = 0;

  constructor(watermark: Pick<Watermark, "generation">) {
    this.#watermark = watermark;
  }

  /** Also applies to a read in progress, which may have begun too early. */
  end(): void {
    this.#untilMs = 0;
    this.#generation = -1;
  }

  /** Reads unless it rests. `read` returns the wait before the next, ms, as does this. */
  async between(read: () => Promise<number>): Promise<number> {
    const { generation } = this.#watermark;
    const leftMs = this.#untilMs - performance.now();
    if (leftMs > 0 && this.#generation === generation) return Math.min(leftMs, IDLE_POLL_MS);
    this.#generation = generation;
    const waitMs = await read();
    this.#untilMs = waitMs > IDLE_POLL_MS ? performance.now() + waitMs : 0;
    return Math.min(waitMs, IDLE_POLL_MS);
  }
}
