import type { Skipped } from "#db/stores/port/relay/claim.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { isUnreachable } from "#db/stores/port/store-error.ts";
import type { PipelineContext } from "../../state/pipeline-context.ts";
import { AGED_MS, type ReadBegun, type Watermark } from "../../state/watermark.ts";

/** Wait after a failed query, such as one that timed out. Reads work without it. */
const AFTER_FAILURE_MS = 30_000;

/** Skipped rows: the next read begins after them. `after`: where the query began. */
export type RowSkip = Pick<Skipped, "reached" | "closed"> & { after: OrderKey | null };

/**
 * Skips dead and waiting messages that stay in their table, so that a term's first reads need not walk over them: half
 * a million took seconds, in which nothing new was published.
 */
export class DeadRowSkip {
  readonly #table: Pick<RelayTable, "compareOrder" | "skipDeadRows">;
  readonly #log: PipelineContext["log"];
  readonly #watermark: Watermark;
  /** Reads that begin before this place are worth the query. */
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
   * Moves the watermark past rows that need not be read: the next read begins after them. Null if there are none. A
   * quiet outbox that had nothing to skip is not queried, because a second query with every peek costs too much.
   */
  async skip(begun: ReadBegun, quiet: boolean): Promise<RowSkip | null> {
    const { compareOrder } = this.#table;
    const { after } = begun;
    if (quiet && this.#edge === null) return null;
    if (after !== null && (this.#edge === null || compareOrder(after, this.#edge) >= 0)) return null;
    const skipped = await this.#look(after);
    if (!skipped || skipped.ageMs <= AGED_MS) return null;
    const { reached, horizon, closed } = skipped;
    if (after !== null && compareOrder(reached, after) <= 0) return null;
    if (!this.#watermark.noteSkip({ begun, reached, horizon, nowMs: performance.now() })) return null;
    if (this.#edge === null || compareOrder(reached, this.#edge) > 0) this.#edge = reached;
    return { after, reached, closed };
  }

  /**
   * Called after the read that follows the skipped rows: true if none of them may be published even now. Otherwise one
   * was committed between the two queries, and the rows read may overtake it.
   */
  async stillHolds({ after, reached, closed }: RowSkip): Promise<boolean> {
    if (closed) return true;
    const again = await this.#look(after);
    return again !== null && this.#table.compareOrder(again.reached, reached) >= 0;
  }

  async #look(after: OrderKey | null) {
    if (performance.now() < this.#notBeforeMs) return null;
    try {
      return await this.#table.skipDeadRows(after);
    } catch (error) {
      if (isUnreachable(error)) throw error;
      this.#notBeforeMs = performance.now() + AFTER_FAILURE_MS;
      this.#log.debug({ err: error }, "dead and waiting rows could not be skipped; reading them instead");
      return null;
    }
  }
}
