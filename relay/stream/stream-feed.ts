import type { Claim, ClaimResult, Horizon } from "#db/stores/port/relay/claim.ts";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
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

/** If notices come this much later than their commits, reading the table is faster. */
const BEHIND_MS = 2000;
/** A commit announced this long ago is visible to everyone. */
const VISIBLE_MS = 1000;
const IDLE_MS = 250;
/** After the stream missed rows, the table is polled for this long. */
const DISTRUST_MS = 30_000;
/** When the sink is down for longer than this, the connection is closed. */
const SINK_DOWN_MS = 30_000;

/**
 * Decides whether the next claim comes from the stream's notices or, while the table may hold earlier rows, from the
 * claimer's own reads of the table. The stream is used from a complete read on (one that left behind no row that it
 * saw) until a message goes back to the table, which must then be read again first. So a notice never overtakes a row,
 * and the stream may end at any time: only speed is lost.
 */
export class StreamFeed {
  readonly #context: PipelineContext;
  readonly #stream: RelayStream;
  readonly #source: StreamSource;
  readonly #state: FeedState;
  readonly #accept: (claim: Claim, stale: boolean) => void;
  readonly #wake: () => void;
  readonly #missed: MissedRows;
  readonly #choice: NoticeChoice;
  /**
   * The watermark's generation at the last complete read; null if there was none since messages were left to the table.
   */
  #readGeneration: number | null = null;
  /** Horizon of the last complete read, and of the last read of any kind: transactions below had ended by then. */
  #read: Horizon | null = null;
  #past: Horizon | null = null;
  readonly #refused = new WeakSet<Notice>();
  #distrustUntilMs = 0;
  #sinkDownSinceMs: number | null = null;

  constructor(input: {
    context: PipelineContext;
    stream: RelayStream;
    source: StreamSource;
    state: FeedState;
    accept: (claim: Claim, stale: boolean) => void;
    wake: () => void;
  }) {
    this.#context = input.context;
    this.#stream = input.stream;
    this.#source = input.source;
    this.#state = input.state;
    this.#accept = input.accept;
    this.#wake = input.wake;
    this.#missed = new MissedRows(input.stream);
    const { onFailure } = input.context.settings;
    this.#choice = new NoticeChoice({ ...input, alone: this.alone, blocks: onFailure === "block" });
  }

  /** True if no table is read and the stream is the only source. */
  get alone(): boolean {
    return this.#stream.mark === "none";
  }

  /**
   * Claims up to `limit` noticed messages. Returns their number and the wait before the next call; null if the table is
   * to be read. `isDue`: a scheduled message is due, which the log does not announce. Throws what the claim throws.
   */
  async claim(limit: number, isDue: () => boolean): Promise<{ notices: number; waitMs: number } | null> {
    this.#works();
    const tableFirst = () => this.#stream.schedules && isDue();
    // Asked again after a wait, because a notice that came meanwhile may be of a message that was written after that
    // instant.
    if (!this.alone && (tableFirst() || !(await this.#flows()) || tableFirst())) {
      this.#leaveToTable();
      return null;
    }
    if (this.alone) await this.#park();
    const notices = this.#choice.take(limit, this.#read);
    if (notices.length > 0) await this.#claimNotices(notices);
    return { notices: notices.length, waitMs: this.#source.queued > 0 && notices.length > 0 ? 0 : IDLE_MS };
  }

  /** Called when a read of the table has ended and its claim is in memory. */
  noteRead(result: ClaimResult, begun: ReadBegun): void {
    this.#past = result.horizon;
    if (result.more || begun.ahead || begun.generation !== this.#state.watermark.generation) return;
    this.#readGeneration = begun.generation;
    this.#read = result.horizon;
  }

  /**
   * Called while nothing is claimed. Closes the connection if its notices cannot be confirmed: otherwise the server
   * keeps its log, and cannot shut down before what it sent is confirmed.
   */
  rest(why: "paused" | "sink" | "store"): void {
    if (!this.alone) {
      this.#readGeneration = null;
      this.#leaveToTable();
    }
    // With a table, a pause leaves all notices to it, so everything is confirmed.
    if (why === "paused" && !this.alone) {
      this.#works();
      return;
    }
    if (why !== "sink") {
      this.#source.rest(true);
      return;
    }
    this.#sinkDownSinceMs ??= performance.now();
    // Without a table, a probe needs a notice.
    const needed = this.alone && this.#source.queued === 0;
    if (performance.now() - this.#sinkDownSinceMs > SINK_DOWN_MS) this.#source.rest(!needed);
  }

  /**
   * Claims one message to probe with, without these aggregates and types; null if there is none or the table provides
   * it.
   */
  async probe(excluded: ReadonlySet<string>, types: ReadonlySet<string> = new Set()): Promise<Claim | null> {
    if (!this.alone) return null;
    let found = false;
    // Aggregates of skipped messages: later ones must not overtake them.
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
      if (!claim) this.#source.done(notices);
      return claim;
    } catch (error) {
      this.#source.putBack(ids);
      throw error;
    }
  }

  /** Called when outcomes are written. Unsent messages are in the table again or, without one, return to the queue. */
  settled(batch: readonly Decided[], fenced: ReadonlySet<string>): void {
    const [done, back] = [[] as OutgoingMessage[], [] as string[]];
    for (const { claimed, outcome } of batch) {
      const { id, order, retried } = claimed.message;
      if (!this.alone) done.push(claimed.message);
      else if (outcome.kind === "given_back" || fenced.has(id)) {
        if (!retried) back.push(id);
      } else {
        if (!retried) this.#source.remember(id, this.#stream.positionOf(order));
        done.push(claimed.message);
      }
    }
    this.#source.done(done);
    this.#source.putBack(back);
    // Messages may be in the table again, without a notice.
    if (!this.alone && this.#readGeneration !== this.#state.watermark.generation) this.#wake();
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
    // A message may have gone back to the table during the check.
    if (missed === "none") return this.#readGeneration === watermark.generation;
    this.#readGeneration = null;
    if (missed === "missed") {
      this.#distrustUntilMs = now + DISTRUST_MS;
      watermark.reset();
      this.#context.log.warn(
        `the log did not report committed rows in time; polling the table for ${DISTRUST_MS / 1000} s`,
      );
    }
    return false;
  }

  /** True if queued notices are late. A silent stream is not: it may have nothing to report. */
  #isBehind(): boolean {
    const { newestCommitAtMs, queued } = this.#source;
    return queued > 0 && this.#context.clock.at(performance.now()).getTime() - newestCommitAtMs > BEHIND_MS;
  }

  /** Drops notices that the next read of the table makes unnecessary. */
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
    this.#source.done(gone.map((id) => ({ id })));
    if (error !== undefined) throw error;
  }

  #park(): Promise<void> {
    const { lanes, retries } = this.#state;
    const [context, stream, source] = [this.#context, this.#stream, this.#source];
    const waits = (notice: Notice) => this.#choice.waits(notice);
    return parkFollowers({ context, stream, source, lanes, retries, waits, refused: this.#refused });
  }

  #works(): void {
    this.#sinkDownSinceMs = null;
    this.#source.rest(false);
  }
}
