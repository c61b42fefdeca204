import type { OrderKey, OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import type { Release } from "../state/release.ts";
import { SearchPace } from "../state/search-pace.ts";
import type { Withheld } from "../state/withheld.ts";

/** Time between two searches of the table. */
const AGAIN_MS = 2000;

export interface PausedHeadsState {
  release: Release;
  withheld: Withheld;
}

export interface PausedHeadsEvents {
  /** True if its event type is paused. */
  waits: (message: Pick<OutgoingMessage, "eventType">) => boolean;
  wake: () => void;
}

/**
 * Finds aggregates whose paused message is gone, because it was dead-lettered or deleted. Nothing announces that, and
 * later messages of the aggregate may go out although the event type is still paused. Reads rows in steps, without
 * claims.
 */
export class PausedHeads {
  readonly #context: PipelineContext;
  readonly #state: PausedHeadsState;
  readonly #events: PausedHeadsEvents;
  /** Where the next step begins; null: at the first paused message. */
  #next: OrderKey | null = null;
  /** Aggregates whose first row was read in this pass. */
  readonly #seen = new Set<string>();
  readonly #pace = new SearchPace();

  constructor(context: PipelineContext, state: PausedHeadsState, events: PausedHeadsEvents) {
    this.#context = context;
    this.#state = state;
    this.#events = events;
  }

  /** One step, if it is due and an aggregate waits for a paused event type. */
  async look(): Promise<void> {
    const { table, log } = this.#context;
    const startedMs = performance.now();
    // Without a table, paused messages wait among the retries.
    if (!this.#pace.isDue(startedMs) || table.stream?.mark === "none") return;
    const after = this.#next ?? this.#state.withheld.firstFor("paused_type");
    if (after === null) return;
    try {
      const isOver = await this.#step(after);
      this.#pace.rest(startedMs, { leastMs: isOver ? AGAIN_MS : 0 });
    } catch (error) {
      this.#pace.restAfterFailure();
      log.debug({ err: error }, "rows behind paused messages could not be read; trying again later");
    }
  }

  /** True if no row is left to read. */
  async #step(after: OrderKey): Promise<boolean> {
    const { table, lease } = this.#context;
    const { rows, partial } = await table.lookAhead({ lease, after, excludeIds: [] });
    // The paused message of an aggregate may be among the unread rows: nothing shows that it is gone.
    if (partial) {
      this.#next = null;
      this.#seen.clear();
      return true;
    }
    const gone = new Set<string>();
    for (const row of rows) {
      const { aggregateKey: key } = row;
      if (key === null || this.#seen.has(key) || !this.#waitsFrom(key, after)) continue;
      this.#seen.add(key);
      if (!this.#events.waits(row)) gone.add(key);
    }
    this.#goOn(gone);
    const last = rows.at(-1)?.order ?? after;
    const isOver = table.compareOrder(last, after) <= 0;
    this.#next = isOver ? null : last;
    if (isOver) this.#seen.clear();
    return isOver;
  }

  /** True if the aggregate waits for a paused message that these rows would contain. */
  #waitsFrom(key: string, after: OrderKey): boolean {
    const first = this.#state.withheld.firstOf(key, "paused_type");
    return first !== null && this.#context.table.compareOrder(first, after) >= 0;
  }

  /** The read that begins here finds a paused message that was committed meanwhile. */
  #goOn(keys: ReadonlySet<string>): void {
    for (const key of keys) this.#state.release.free(key, "paused_type");
    if (keys.size > 0) this.#events.wake();
  }
}
