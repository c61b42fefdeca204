import type { OrderKey } from "#db/outbox/outgoing-message.ts";
import type { RelayTable } from "#db/outbox/relay-port.ts";
import { AGED_MS, type LowWaterMark, type ReadBegun } from "./low-water-mark.ts";

/**
 * Spares the first reads of a term the walk over messages that are dead or waiting and stay in their table: half a
 * million of them took seconds, in which nothing new went out.
 */
export class BesideSkip {
  readonly #table: RelayTable;
  readonly #mark: LowWaterMark;
  /** Reads that begin before are worth the question. */
  #edge: OrderKey | null = null;

  constructor(table: RelayTable, mark: LowWaterMark) {
    this.#table = table;
    this.#mark = mark;
  }

  /** True when the mark was told of rows that need not be read: the next read begins behind them. */
  async skip(begun: ReadBegun): Promise<boolean> {
    const { compareOrder } = this.#table;
    const { after } = begun;
    if (after !== null && (this.#edge === null || compareOrder(after, this.#edge) >= 0)) return false;
    const skipped = await this.#table.skipBeside(after);
    if (!skipped || skipped.ageMs <= AGED_MS) return false;
    const { reached, horizon } = skipped;
    if (after !== null && compareOrder(reached, after) <= 0) return false;
    if (this.#edge === null || compareOrder(reached, this.#edge) > 0) this.#edge = reached;
    this.#mark.noteRead({ begun, reached, more: true, horizon, aged: true, nowMs: performance.now() });
    return true;
  }
}
