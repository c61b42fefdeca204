import type { Logger } from "pino";
import type { Lease } from "#db/stores/port/relay/lease.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { RecentlyPublished } from "../pipeline/state/recently-published.ts";
import type { RelayStats } from "../pipeline/state/relay-stats.ts";

const LOOK_EVERY_MS = 8000;
/** Longest time back for which published rows are checked. */
const WINDOW_MS = 9000;
const LEAST_WINDOW_MS = 1000;
/** The previous owner may have published until this long after our memory begins, since two clocks are compared. */
const MARGIN_MS = 1000;
/** Wait after a failed query, such as one that timed out. */
const AFTER_FAILURE_MS = 60_000;

/**
 * Detects another relay that publishes the same table: it looks for rows of this term's partitions that were published
 * recently, but not by us. It only reports, since the duplicates have already been delivered.
 */
export class ForeignWatch {
  readonly #table: Pick<RelayTable, "recentlyPublished">;
  readonly #lease: Lease;
  readonly #stats: RelayStats;
  readonly #log: Logger;
  readonly #inMemory: (id: string) => boolean;
  readonly #ownsUntilMs: () => number;
  readonly recent = new RecentlyPublished();
  #lookAtMs = performance.now() + LOOK_EVERY_MS;
  #counted: ReadonlySet<string> = new Set();
  #looking = false;

  constructor(input: {
    table: Pick<RelayTable, "recentlyPublished">;
    lease: Lease;
    stats: RelayStats;
    log: Logger;
    /** True if the message is in memory: its outcome may be written before we know. */
    inMemory: (id: string) => boolean;
    /** Until when the partitions are certainly ours, by `performance.now()`. */
    ownsUntilMs: () => number;
  }) {
    this.#table = input.table;
    this.#lease = input.lease;
    this.#stats = input.stats;
    this.#log = input.log;
    this.#inMemory = input.inMemory;
    this.#ownsUntilMs = input.ownsUntilMs;
  }

  /**
   * Called once a second. Never waits for the database. After a freeze the lease has expired, and what another instance
   * of ours published since then is not foreign.
   */
  tick(nowMs = performance.now()): void {
    if (this.#looking || nowMs < this.#lookAtMs || nowMs >= this.#ownsUntilMs()) return;
    const windowMs = Math.min(WINDOW_MS, this.recent.reachesBackMs(nowMs) - MARGIN_MS);
    if (windowMs < LEAST_WINDOW_MS) return;
    this.#looking = true;
    this.#lookAtMs = nowMs + LOOK_EVERY_MS;
    void this.#look(windowMs);
  }

  async #look(windowMs: number): Promise<void> {
    try {
      const ids = await this.#table.recentlyPublished({ lease: this.#lease, windowMs });
      if (ids.length > 0) this.#judge(ids);
    } catch (error) {
      this.#lookAtMs = performance.now() + AFTER_FAILURE_MS;
      this.#log.debug({ err: error }, "the check for rows published by others failed; will retry");
    } finally {
      this.#looking = false;
    }
  }

  #judge(ids: readonly string[]): void {
    const ours = this.recent.all();
    const foreign = ids.filter((id) => !ours.has(id) && !this.#inMemory(id));
    const fresh = foreign.filter((id) => !this.#counted.has(id));
    this.#counted = new Set(foreign);
    if (fresh.length === 0) return;
    this.#stats.noteForeign({ seen: fresh.length });
    this.#stats.lastError = `Another relay publishes this table too: ${foreign.length} of ${ids.length} messages published in the last seconds were never claimed here. Stop it, or set mode: operate for this outbox.`;
    this.#log.warn({ messages: fresh.length }, "another relay publishes messages of this table");
  }
}
