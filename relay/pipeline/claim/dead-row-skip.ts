import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { isUnreachable } from "#db/stores/port/store-error.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import { AGED_MS, type ReadBegun, type Watermark } from "../state/watermark.ts";

/** What the database would not finish is not tried again at once: reads find their way without it. */
const AFTER_FAILURE_MS = 30_000;

/**
 * Spares the first reads of a term the walk over messages that are dead or waiting and stay in their table: half a
 * million of them took seconds, in which nothing new went out.
 */
export class DeadRowSkip {
  readonly #table: Pick<RelayTable, "compareOrder" | "skipDeadRows">;
  readonly #log: PipelineContext["log"];
  readonly #watermark: Watermark;
  /** Reads that begin before are worth the question. */
  #edge: OrderKey | null = null;
  #notBeforeMs = 0;

  constructor(
    { table, log }: { table: Pick<RelayTable, "compareOrder" | "skipDeadRows">; log: PipelineContext["log"] },
    watermark: Watermark,
  ) {
    this.#table = table;
    this.#log = log;
    this.#watermark = watermark;
  }

  /**
   * True when the watermark was told of rows that need not be read: the next read begins behind them. A quiet outbox where
   * there was nothing to pass over is not asked: one question with every peek is as much as it may cost.
   */
  async skip(begun: ReadBegun, quiet: boolean): Promise<boolean> {
    const { compareOrder } = this.#table;
    const { after } = begun;
    if (quiet && this.#edge === null) return false;
    if (after !== null && (this.#edge === null || compareOrder(after, this.#edge) >= 0)) return false;
    const skipped = await this.#look(after);
    if (!skipped || skipped.ageMs <= AGED_MS) return false;
    const { reached, horizon } = skipped;
    if (after !== null && compareOrder(reached, after) <= 0) return false;
    if (!this.#watermark.noteSkip({ begun, reached, horizon, nowMs: performance.now() })) return false;
    if (this.#edge === null || compareOrder(reached, this.#edge) > 0) this.#edge = reached;
    return true;
  }

  async #look(after: OrderKey | null) {
    if (performance.now() < this.#notBeforeMs) return null;
    try {
      return await this.#table.skipDeadRows(after);
    } catch (error) {
      if (isUnreachable(error)) throw error;
      this.#notBeforeMs = performance.now() + AFTER_FAILURE_MS;
      this.#log.debug({ err: error }, "rows that are dead or waiting could not be passed over; they are read instead");
      return null;
    }
  }
}
