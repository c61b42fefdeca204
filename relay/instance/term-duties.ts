import type { Logger } from "pino";
import type { Lease } from "#db/stores/port/relay/lease.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import type { StreamReport } from "../stream/stream-report.ts";
import type { Heartbeat } from "./heartbeat.ts";
import type { Share } from "./partition-share.ts";
import { ReusedIds } from "./reused-ids.ts";

const STRAY_TICKS = 10;
/** Ticks after which pauses and retries are read even if no heartbeat has seen a change. */
const REFRESH_TICKS = 10;
/** Reading the waiting retries, of which there may be 100,000, takes at most a twentieth of the time. */
const REFRESH_SHARE = 20;
/** Shorter than the time between two heartbeats, so that after a quick read none is skipped. */
const HALF_A_BEAT_MS = 500;

export interface TermParts {
  table: RelayTable;
  lease: Lease;
  pipeline: Pipeline;
  heart: Heartbeat;
  share: Share;
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
  #readRetriesFromMs = 0;
  readonly #reusedIds: ReusedIds;
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
    if (anyway || this.#pausesSeen !== pauses || pipeline.mustReadPauses) {
      this.paused = await pipeline.refreshPauses();
      this.#pausesSeen = pauses;
    }
    if (anyway || this.#retriesSeen !== retries) await this.#readRetries(retries);
    await pipeline.lookBehindPauses();
    await pipeline.lookBeforeHeads();
    await this.#reusedIds.look();
    await streamReport.tick(this.#tick, pipeline.source);
    if (table.suspectCount > 0) await pipeline.refreshSuspects();
    if (this.#tick % STRAY_TICKS === 0) await table.endStrayClaims({ lease, knownTokens: pipeline.knownTokens });
    return this.#nextShare();
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
    if (startedMs < this.#readRetriesFromMs) return;
    this.#retriesSeen = (await this.#parts.pipeline.refreshRetries()) ? sum : null;
    const endedMs = performance.now();
    this.#readRetriesFromMs = endedMs + (endedMs - startedMs) * REFRESH_SHARE - HALF_A_BEAT_MS;
  }
}
