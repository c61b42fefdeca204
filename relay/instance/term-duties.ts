import type { Logger } from "pino";
import { type Lease, LeaseLostError } from "#db/stores/port/relay/lease.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { isUnreachable } from "#db/stores/port/store-error.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { SearchPace } from "../pipeline/state/search-pace.ts";
import type { StreamReport } from "../stream/stream-report.ts";
import type { Heartbeat } from "./heartbeat.ts";
import type { PartitionShare } from "./partition-share.ts";
import { ReusedIds } from "./reused-ids.ts";

const STRAY_TICKS = 10;
/** Ticks after which pauses and retries are read even if no heartbeat has seen a change. */
const REFRESH_TICKS = 10;
/** Shorter than the time between two heartbeats, so that after a quick read none is skipped. */
const HALF_A_BEAT_MS = 500;

export interface TermParts {
  table: RelayTable;
  lease: Lease;
  pipeline: Pipeline;
  heart: Heartbeat;
  share: PartitionShare;
  streamReport: StreamReport;
  log: Logger;
  /** Called when the term is over. */
  lost: () => void;
}

/** An owner's duties on every heartbeat of its term, in addition to publishing. */
export class TermDuties {
  readonly #parts: TermParts;
  /** Checksums in the heartbeat after which pauses and retries were last read. */
  #pausesSeen: string | null = null;
  #retriesSeen: string | null = null;
  /** Of reading the waiting retries, of which there may be 100,000. */
  readonly #retriesPace = new SearchPace();
  readonly #reusedIds: ReusedIds;
  /** The problems of duties whose last attempt failed. */
  readonly #failing = new Set<string>();
  #tick = 0;
  /** True while the whole outbox is paused on purpose. */
  paused = false;

  constructor(parts: TermParts) {
    this.#parts = parts;
    this.#reusedIds = new ReusedIds(parts);
  }

  /**
   * Reads pauses, retries and suspects when they may have changed, ends stray claims, and checks this term's share.
   * Returns the number of partitions for the next term; null while this one continues.
   */
  async next(): Promise<number | null> {
    const { table, lease, pipeline, heart, streamReport } = this.#parts;
    const { pauses = "", retries = "" } = heart.view ?? {};
    this.#tick += 1;
    const anyway = this.#tick % REFRESH_TICKS === 0;
    if (anyway || this.#pausesSeen !== pauses || pipeline.mustReadPauses)
      await this.#attempt("pauses cannot be read", async () => {
        this.paused = await pipeline.refreshPauses();
        this.#pausesSeen = pauses;
      });
    if (anyway || this.#retriesSeen !== retries)
      await this.#attempt("waiting retries cannot be read", () => this.#readRetries(retries));
    await pipeline.lookBehindPauses();
    await pipeline.lookBeforeHeads();
    await this.#reusedIds.look();
    await this.#attempt("the state of the log cannot be read", () => streamReport.tick(this.#tick, pipeline.source));
    if (table.suspectCount > 0) await this.#attempt("suspects cannot be read", () => pipeline.refreshSuspects());
    if (this.#tick % STRAY_TICKS === 0)
      await this.#attempt("stray claims cannot be ended", () =>
        table.endStrayClaims({ lease, knownTokens: pipeline.knownTokens }),
      );
    return this.#nextShare();
  }

  /** What the store refuses to one duty keeps no other from being done. `problem`: what it means that it failed. */
  async #attempt(problem: string, work: () => Promise<unknown>): Promise<void> {
    const { log } = this.#parts;
    try {
      await work();
      if (this.#failing.delete(problem)) log.info({ problem }, "this duty of the relay works again");
    } catch (error) {
      if (isUnreachable(error) || error instanceof LeaseLostError) throw error;
      log[this.#failing.has(problem) ? "debug" : "warn"]({ err: error }, problem);
      this.#failing.add(problem);
    }
  }

  /** Free partitions may be ours: after a freeze, our own lease may have expired. */
  async #nextShare(): Promise<number | null> {
    const { table, lease, share, lost } = this.#parts;
    const most = share.next();
    if (most === null || (await table.renewLease(lease))) return most;
    lost();
    return null;
  }

  async #readRetries(sum: string): Promise<void> {
    const startedMs = performance.now();
    if (!this.#retriesPace.isDue(startedMs + HALF_A_BEAT_MS)) return;
    this.#retriesSeen = (await this.#parts.pipeline.refreshRetries()) ? sum : null;
    this.#retriesPace.rest(startedMs);
  }
}
