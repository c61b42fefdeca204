import type { Claim, ClaimResult, Horizon } from "#db/stores/port/relay/claim.ts";
import type { Notice, RelayStream } from "#db/stores/port/relay/relay-stream.ts";
import type { Decided } from "../pipeline/settle/settler.ts";
import type { PipelineContext } from "../pipeline/state/pipeline-context.ts";
import type { ReadBegun } from "../pipeline/state/watermark.ts";
import { claimNotices } from "./claim-notices.ts";
import type { FeedState } from "./feed-state.ts";
import { MissedRows } from "./missed-rows.ts";
import { NoticeChoice } from "./notice-choice.ts";
import { parkFollowers } from "./park-followers.ts";
import type { StreamSource } from "./stream-source.ts";

/** The stream is told of commits this much later than they were: the table is quicker. */
const BEHIND_MS = 2000;
/** What was told so long ago can be seen by everyone. */
const VISIBLE_MS = 1000;
const IDLE_MS = 250;
/** Rows were missed: the table is polled for a while. */
const DISTRUST_MS = 30_000;
/** A sink that is down for longer: no connection waits for it. */
const SINK_DOWN_MS = 30_000;

/**
 * Decides from where the next claim comes. While the stream flows, from its notices; while the table may hold rows that
 * come before them, from the table, by the claimer's own reads. It flows from a complete read on, one that left no row
 * behind that it saw, until something goes back to the table: then that must be read again first. So a notice can never
 * overtake a row, and the stream may end at any time: nothing but speed is lost.
 */
export class StreamFeed {
  readonly #context: PipelineContext;
  readonly #stream: RelayStream;
  readonly #source: StreamSource;
  readonly #state: FeedState;
  readonly #accept: (claim: Claim, stale: boolean) => void;
  readonly #missed: MissedRows;
  readonly #choice: NoticeChoice;
  /** The watermark's generation at the last complete read; null: none since something was left to the table. */
  #readGeneration: number | null = null;
  /** Transactions below had ended before the last complete read, and before the last read of any kind. */
  #read: Horizon | null = null;
  #past: Horizon | null = null;
  /** Database clock minus ours, ms. */
  #clockOffsetMs = 0;
  #distrustUntilMs = 0;
  #sinkDownSinceMs: number | null = null;

  constructor(input: {
    context: PipelineContext;
    stream: RelayStream;
    source: StreamSource;
    state: FeedState;
    accept: (claim: Claim, stale: boolean) => void;
  }) {
    this.#context = input.context;
    this.#stream = input.stream;
    this.#source = input.source;
    this.#state = input.state;
    this.#accept = input.accept;
    this.#missed = new MissedRows(input.stream);
    const { onFailure } = input.context.settings;
    this.#choice = new NoticeChoice({ ...input, alone: this.alone, blocks: onFailure === "block" });
  }

  /** No table is read: the stream is all there is. */
  get alone(): boolean {
    return this.#stream.mark === "none";
  }

  /**
   * Claims at most `limit` of what was noticed and returns how long to wait before the next look; null when the table is
   * to be read. Throws what the claim throws.
   */
  async claim(limit: number): Promise<number | null> {
    this.#works();
    if (!this.alone && !(await this.#flows())) {
      this.#leaveToTable();
      return null;
    }
    if (this.alone) await this.#park();
    const notices = this.#choice.take(limit, this.#read);
    if (notices.length > 0) await this.#claimNotices(notices);
    return this.#source.queued > 0 && notices.length > 0 ? 0 : IDLE_MS;
  }

  /** A read of the table has ended and its claim is in memory. */
  noteRead(result: ClaimResult, begun: ReadBegun): void {
    this.#clockOffsetMs = result.databaseTimeMs - Date.now();
    this.#past = result.horizon;
    if (result.more || begun.ahead || begun.generation !== this.#state.watermark.generation) return;
    this.#readGeneration = begun.generation;
    this.#read = result.horizon;
  }

  /**
   * Nothing is claimed for now. The server must not keep its log for that, and must be able to shut down: it waits for
   * what was sent to be confirmed, and confirming needs the store or the sink.
   */
  rest(why: "paused" | "sink" | "store"): void {
    if (!this.alone) {
      this.#readGeneration = null;
      this.#leaveToTable();
    }
    // With a table a pause leaves everything to it, and all is confirmed.
    if (why === "paused" && !this.alone) {
      this.#works();
      return;
    }
    if (why !== "sink") {
      this.#source.rest(true);
      return;
    }
    this.#sinkDownSinceMs ??= performance.now();
    // Without a table a probe needs a notice.
    const needed = this.alone && this.#source.queued === 0;
    if (performance.now() - this.#sinkDownSinceMs > SINK_DOWN_MS) this.#source.rest(!needed);
  }

  /** One message of an aggregate that has not probed yet; null when there is none, or when the table gives it. */
  async probe(excluded: ReadonlySet<string>, types: ReadonlySet<string> = new Set()): Promise<Claim | null> {
    if (!this.alone) return null;
    let found = false;
    // What follows a message that is passed over must not overtake it.
    const passed = new Set<string>();
    const notices = this.#source.take(({ notice }) => {
      if (found) return "end";
      const { aggregateKey: key, message } = notice;
      if (key !== null && (excluded.has(key) || passed.has(key))) return "leave";
      if (types.has(message?.eventType ?? "")) {
        if (key !== null) passed.add(key);
        return "leave";
      }
      found = true;
      return this.#source.wasSettled(notice) ? "drop" : "take";
    });
    if (notices.length === 0) return null;
    const ids = notices.map(({ id }) => id);
    try {
      const { claim } = await this.#stream.claim({ lease: this.#context.lease, notices });
      if (!claim) this.#source.done(ids);
      return claim;
    } catch (error) {
      this.#source.putBack(ids);
      throw error;
    }
  }

  /** Outcomes are written. What is unsent again is in the table, or, without one, noticed again. */
  settled(batch: readonly Decided[], fenced: ReadonlySet<string>): void {
    const [done, back] = [[] as string[], [] as string[]];
    for (const { held, outcome } of batch) {
      const { id, order, retried } = held.message;
      if (!this.alone) done.push(id);
      else if (outcome.kind === "given_back" || fenced.has(id)) {
        if (!retried) back.push(id);
      } else {
        if (!retried) this.#source.remember(id, this.#stream.positionOf(order));
        done.push(id);
      }
    }
    this.#source.done(done);
    this.#source.putBack(back);
  }

  async #flows(): Promise<boolean> {
    const { watermark, lanes, withheld } = this.#state;
    const now = performance.now();
    if (!this.#source.connected || this.#readGeneration !== watermark.generation) return false;
    if (now < this.#distrustUntilMs || this.#isBehind()) return false;
    const missed = await this.#missed.look({
      now,
      excludeAggregates: withheld.keys(),
      known: (id) => lanes.has(id) || this.#source.isOpen(id),
    });
    // Something may have gone back to the table while it was looked at.
    if (missed === "none") return this.#readGeneration === watermark.generation;
    this.#readGeneration = null;
    if (missed === "missed") {
      this.#distrustUntilMs = now + DISTRUST_MS;
      watermark.reset();
      this.#context.log.warn(
        "rows were committed that the log did not tell of in time: the table is polled for a while",
      );
    }
    return false;
  }

  /** Only while notices come late; a stream that is silent may as well have nothing to tell. */
  #isBehind(): boolean {
    const { newestCommitAtMs, queued } = this.#source;
    return queued > 0 && Date.now() + this.#clockOffsetMs - newestCommitAtMs > BEHIND_MS;
  }

  /** What the next read of the table will see needs no notice. */
  #leaveToTable(): void {
    const now = performance.now();
    this.#source.take(({ notice, atMs }) => {
      const old = now - atMs > VISIBLE_MS || this.#past?.hasEnded(notice.transaction) === true;
      return old ? "drop" : "end";
    });
  }

  async #claimNotices(notices: readonly Notice[]): Promise<void> {
    const { lease } = this.#context;
    const { watermark, wentBack } = this.#state;
    const { generation } = watermark;
    wentBack.begin();
    const { runs, gone, unseen, error } = await claimNotices({ stream: this.#stream, lease, notices });
    const stale = !this.alone && watermark.generation !== generation;
    for (const run of runs) this.#accept(run, stale);
    this.#source.putBack(unseen);
    this.#source.done(gone);
    if (error !== undefined) throw error;
  }

  #park(): Promise<void> {
    const { lanes, retries } = this.#state;
    const [context, stream, source] = [this.#context, this.#stream, this.#source];
    return parkFollowers({ context, stream, source, lanes, retries, waits: (notice) => this.#choice.waits(notice) });
  }

  #works(): void {
    this.#sinkDownSinceMs = null;
    this.#source.rest(false);
  }
}
