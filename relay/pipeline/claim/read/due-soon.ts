import type { DueRow } from "#db/stores/port/relay/claim.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";

/**
 * A scheduled row becomes due between these times of `performance.now()`: the database said when, and its answer took a
 * while.
 */
interface Due {
  order: OrderKey;
  earlyMs: number;
  lateMs: number;
}

/** Most rows remembered; those beyond are found by the search as before. */
const MOST_ROWS = 5000;

/**
 * Scheduled rows that become due before the next search: a read begins at them from then on, so that a later message of
 * their aggregate, which a read from the watermark finds alone, does not overtake them.
 */
export class DueSoon {
  readonly #compareOrder: RelayTable["compareOrder"];
  readonly #wake: () => void;
  readonly #rows = new Map<string, Due>();
  #timer: NodeJS.Timeout | undefined;

  /** `wake`: called when a row becomes due. */
  constructor(compareOrder: RelayTable["compareOrder"], wake: () => void) {
    this.#compareOrder = compareOrder;
    this.#wake = wake;
  }

  /** Rows of a search that was asked and answered at these times. */
  note(rows: readonly DueRow[], { askedMs, answeredMs }: { askedMs: number; answeredMs: number }): void {
    for (const { order, inMs } of rows) {
      if (this.#rows.size >= MOST_ROWS) break;
      this.#rows.set(order.join("\0"), { order, earlyMs: askedMs + inMs, lateMs: answeredMs + inMs });
    }
    this.#schedule(answeredMs);
  }

  /** The first row, in order, that may be due; null if there is none. */
  first(nowMs: number): OrderKey | null {
    let first: OrderKey | null = null;
    for (const { order, earlyMs } of this.#rows.values())
      if (earlyMs <= nowMs && (first === null || this.#compareOrder(order, first) < 0)) first = order;
    return first;
  }

  /** A read that began at `startedMs` has passed all rows from `after` on: those that were due by then were in it. */
  passed(after: OrderKey | null, startedMs: number): void {
    const before = this.#rows.size;
    for (const [key, { order, lateMs }] of this.#rows)
      if (lateMs <= startedMs && (after === null || this.#compareOrder(order, after) >= 0)) this.#rows.delete(key);
    if (this.#rows.size < before) this.#schedule(performance.now());
  }

  #schedule(nowMs: number): void {
    clearTimeout(this.#timer);
    let next = Number.POSITIVE_INFINITY;
    for (const { lateMs } of this.#rows.values()) if (lateMs > nowMs && lateMs < next) next = lateMs;
    if (Number.isFinite(next)) this.#timer = setTimeout(this.#wake, Math.ceil(next - nowMs)).unref();
  }
}
