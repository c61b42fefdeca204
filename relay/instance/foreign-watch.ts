import type { Logger } from "pino";
import type { Lease } from "#db/stores/port/relay/lease.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { SEES_FOREIGN } from "#domain/relay/foreign-marks.ts";
import type { RelayStats } from "../pipeline/state/relay-stats.ts";
import { RecentlyPublished } from "./recently-published.ts";

const LOOK_EVERY_MS = 8000;
/** Each check of published rows reaches back to the previous one plus this much, because a check may come late. */
const OVERLAP_MS = 2000;
/** Longest time back for which published rows are checked. */
const LONGEST_WINDOW_MS = 90_000;
const LEAST_WINDOW_MS = 1000;
/** The previous owner may have published until this long after our memory begins, since two clocks are compared. */
const MARGIN_MS = 1000;
/** Wait after a failed query, such as one that timed out. */
const AFTER_FAILURE_MS = 60_000;

/**
 * Detects another relay that publishes the same table, and statements that mark unsent rows: it looks for rows of this
 * term's partitions that were published recently, but not by us. It only reports, since the marks are made.
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
  /** Rows up to this time have been checked. */
  #lookedAtMs = performance.now();
  /** When rows of others were last seen, ms. Windows overlap, so each row counts once. */
  readonly #counted = new Map<string, number>();
  #looking = false;

  constructor(input: {
    table: Pick<RelayTable, "recentlyPublished">;
    lease: Lease;
    stats: RelayStats;
    log: Logger;
    /** True if the message is in memory: its outcome may be written before we know. */
    inMemory: (id: string) => boolean;
    /** The partitions are certainly ours until this time of `performance.now()`. */
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
   * Called once a second. Never waits for the database. Does not look once the lease has expired, as after a freeze:
   * rows that another instance of ours published since then are not foreign.
   */
  tick(nowMs = performance.now()): void {
    if (this.#looking || nowMs < this.#lookAtMs || nowMs >= this.#ownsUntilMs()) return;
    const unseenMs = Math.min(nowMs - this.#lookedAtMs + OVERLAP_MS, LONGEST_WINDOW_MS);
    const windowMs = Math.min(unseenMs, this.recent.reachesBackMs(nowMs) - MARGIN_MS);
    if (windowMs < LEAST_WINDOW_MS) return;
    this.#looking = true;
    this.#lookAtMs = nowMs + LOOK_EVERY_MS;
    void this.#look(windowMs, nowMs);
  }

  async #look(windowMs: number, nowMs: number): Promise<void> {
    // An answer may take so long that what we marked at the beginning of the window is forgotten meanwhile.
    const before = this.recent.all();
    try {
      const ids = await this.#table.recentlyPublished({ lease: this.#lease, windowMs });
      if (ids === null) return;
      this.#lookedAtMs = nowMs;
      if (ids.length > 0) this.#judge(ids, before);
    } catch (error) {
      this.#lookAtMs = performance.now() + AFTER_FAILURE_MS;
      this.#log.debug({ err: error }, "the check for rows published by others failed; will retry");
    } finally {
      this.#looking = false;
    }
  }

  #judge(ids: readonly string[], before: ReadonlySet<string>): void {
    const since = this.recent.all();
    const foreign = ids.filter((id) => !before.has(id) && !since.has(id) && !this.#inMemory(id));
    const fresh = foreign.filter((id) => !this.#counted.has(id));
    const nowMs = performance.now();
    for (const id of foreign) this.#counted.set(id, nowMs);
    for (const [id, atMs] of this.#counted) if (nowMs - atMs > LONGEST_WINDOW_MS) this.#counted.delete(id);
    if (fresh.length === 0) return;
    this.#stats.noteForeign({ seen: fresh.length });
    this.#stats.lastError = `${SEES_FOREIGN} messages of this table as published: ${foreign.length} of ${ids.length} that were marked in the last seconds were never claimed here. Another relay sent them, or nobody did.`;
    this.#log.warn({ messages: fresh.length }, "something else marks messages of this table as published");
  }
}
