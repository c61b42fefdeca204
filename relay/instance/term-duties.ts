import type { Lease } from "#db/stores/port/relay/lease.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import type { StreamReport } from "../stream/stream-report.ts";
import type { Heartbeat } from "./heartbeat.ts";
import type { Share } from "./share.ts";

const STRAY_TICKS = 10;
/** Even when no heartbeat has seen a change. */
const REFRESH_TICKS = 10;
/** Reading what waits for a retry takes at most a twentieth of the time: it may be a hundred thousand messages. */
const REFRESH_SHARE = 20;
/** Less than lies between two heartbeats, so that a short reading skips none. */
const HALF_A_BEAT_MS = 500;

export interface TermParts {
  table: RelayTable;
  lease: Lease;
  pipeline: Pipeline;
  heart: Heartbeat;
  share: Share;
  streamReport: StreamReport;
  /** The term is over. */
  lost: () => void;
}

/** What an owner does with every heartbeat of its term, beside publishing. */
export class TermDuties {
  readonly #parts: TermParts;
  /** The sums of the heartbeat by which pauses and retries were read last. */
  #pausesSeen: string | null = null;
  #retriesSeen: string | null = null;
  #readRetriesFromMs = 0;
  #tick = 0;
  /** The whole outbox is paused on purpose. */
  paused = false;

  constructor(parts: TermParts) {
    this.#parts = parts;
  }

  /**
   * Is something paused, what waits for a retry, are there claims that nobody knows of, is this term's share still the
   * right one. Returns how many partitions the next term should have; null while this one goes on.
   */
  async next(): Promise<number | null> {
    const { table, lease, pipeline, heart, streamReport } = this.#parts;
    const { pauses = "", retries = "" } = heart.view ?? {};
    this.#tick += 1;
    const anyway = this.#tick % REFRESH_TICKS === 0;
    if (anyway || this.#pausesSeen !== pauses || pipeline.mustReadPauses) {
      this.paused = await pipeline.refreshPauses();
      this.#pausesSeen = pauses;
    }
    if (anyway || this.#retriesSeen !== retries) await this.#readRetries(retries);
    await streamReport.tick(this.#tick);
    if (table.suspectCount > 0) await pipeline.refreshSuspects();
    if (this.#tick % STRAY_TICKS === 0) await table.endStrayClaims({ lease, knownTokens: pipeline.knownTokens });
    return this.#nextShare();
  }

  /** What is free may be this term's own: a process that was frozen past its lease sees that first. */
  async #nextShare(): Promise<number | null> {
    const { table, lease, share, lost } = this.#parts;
    const most = share.next();
    if (most === null || (await table.renewLease(lease))) return most;
    lost();
    return null;
  }

  async #readRetries(sum: string): Promise<void> {
    const startedMs = performance.now();
    if (startedMs < this.#readRetriesFromMs) return;
    this.#retriesSeen = (await this.#parts.pipeline.refreshRetries()) ? sum : null;
    const endedMs = performance.now();
    this.#readRetriesFromMs = endedMs + (endedMs - startedMs) * REFRESH_SHARE - HALF_A_BEAT_MS;
  }
}
