import { BUSY_POLL_MS, IDLE_POLL_MS } from "./poll-intervals.ts";

/**
 * Idle time after which the claimer peeks before it claims. Longer than the watermark needs to pass the last rows read.
 */
const QUIET_MS = 3000;
/** A read that is not cut off and takes longer than this walks over excluded rows, which the watermark should pass. */
const SLOW_READ_MS = 10;
/**
 * Most messages of a read after which the next may begin at once; after more, a wait makes the next one worth its cost.
 */
const FEW = 4;
/** One slow peek may be the machine's fault. */
const SLOW_PEEKS = 3;
/** Reads that find nothing and take longer than this scan a large table. They take a third of the time. */
const SCAN_MS = 50;
/** A read of full batches that takes longer than this scans a large table. */
const LONG_SCAN_MS = 200;
const FRUITLESS_REST = 2;
const LONGEST_REST_MS = 5000;
/** Batches that one read takes at most, where each read of a full page is a scan. */
const MOST_BATCHES = 4;
/** Least time between two queries for the transactions that write the table. */
const WRITERS_EVERY_MS = 250;
const WRITERS_EVERY_QUIET_MS = 1000;
/** During a backlog, rows committed late behind the read position are read at most this often. */
const REREAD_MS = 1000;
/** Rereading takes at most a twentieth of the time. */
const REREAD_SHARE = 20;
/** Wait after a claim of retries that found few or none: the database's clock may be slightly behind ours. */
const RETRY_AGAIN_MS = 50;
/** While new messages come, claims of retries take a quarter of the time, so that new ones are read first. */
const RETRY_REST = 3;
/** New messages were found this recently: they are coming. */
const COMING_MS = 1000;
/**
 * After a claim found retries missing from the list, an operator is retrying many: claim without the list for this
 * long.
 */
const FLOW_MS = 2000;
const FIRST_ERROR_MS = 50;
const LONGEST_ERROR_MS = 5000;
const MOST_DOUBLINGS = 7;

/**
 * When a claimer reads next, and how: peek or claim, from the watermark or onwards. Pure: all times are passed in, in
 * milliseconds of one monotonic clock.
 */
export class ClaimPacing {
  #lastFoundMs: number;
  #slow = false;
  #slowPeeks = 0;
  /** Times of the last two reads that found nothing. */
  #fruitlessMs: readonly [before: number, last: number] = [0, 0];
  #batches = 1;
  #scans = false;
  #readsAtOnce = false;
  #writersAtMs = Number.NEGATIVE_INFINITY;
  #rereadAtMs = 0;
  #retryAtMs = 0;
  #retriesFlowUntilMs = 0;
  #errors = 0;
  /** There was an error, and no read has succeeded since. */
  #unread = false;

  constructor(nowMs: number) {
    this.#lastFoundMs = nowMs;
  }

  /** True if nothing was found for 3 s and reads are fast: one peek is then cheaper than a claim's transaction. */
  isQuiet(nowMs: number): boolean {
    return nowMs - this.#lastFoundMs > QUIET_MS && !this.#slow;
  }

  /** True while new messages come. */
  isComing(nowMs: number): boolean {
    return nowMs - this.#lastFoundMs < COMING_MS;
  }

  /**
   * True if reads walk over many excluded rows. The next one asks for the last row, so that the watermark can pass
   * them.
   */
  get isSlow(): boolean {
    return this.#slow;
  }

  noteFound(nowMs: number): void {
    this.#lastFoundMs = nowMs;
    this.#fruitlessMs = [0, 0];
  }

  /** Notes the time of a peek that found nothing. */
  noteEmptyPeek(tookMs: number): void {
    this.#slowPeeks = tookMs > SLOW_READ_MS ? this.#slowPeeks + 1 : 0;
    this.#slow = this.#slowPeeks >= SLOW_PEEKS;
    this.#noteFruitless(tookMs);
  }

  beginRead(): void {
    this.#slowPeeks = 0;
  }

  /**
   * `more`: the read was cut off by its limit, so that its time says nothing about excluded rows. `full`: it has as
   * many messages as it may have. `found`: its messages.
   */
  noteRead({ more, tookMs, found, full }: { more: boolean; tookMs: number; found: number; full: boolean }): void {
    this.#slow = !more && tookMs > SLOW_READ_MS;
    if (!more && found === 0) this.#noteFruitless(tookMs);
    // Every second read waits, so that a steady stream of messages does not become a read for each.
    this.#readsAtOnce = !this.#readsAtOnce && found > 0 && found <= FEW && tookMs <= SLOW_READ_MS;
    this.#scans = full && tookMs > LONG_SCAN_MS;
    if (full && tookMs > SCAN_MS) this.#batches = Math.min(MOST_BATCHES, this.#batches * 2);
    else if (tookMs < SCAN_MS / 2) this.#batches = Math.max(1, this.#batches / 2);
  }

  /** True if each read scans the table: then one query should list the places of many rows. */
  get isScanning(): boolean {
    return this.#scans;
  }

  /** Notes the time of such a query. A quick one shows that reads have an index. */
  noteListed(tookMs: number): void {
    if (tookMs < SCAN_MS) this.#scans = false;
  }

  /** Batches that the next read may take. */
  get batches(): number {
    return this.#batches;
  }

  #noteFruitless(tookMs: number): void {
    this.#fruitlessMs = [this.#fruitlessMs[1], tookMs];
  }

  /** The shorter of the last two counts, as one slow read may be the machine's fault. */
  get #restMs(): number {
    const tookMs = Math.min(...this.#fruitlessMs);
    return tookMs > SCAN_MS ? Math.min(LONGEST_REST_MS, tookMs * FRUITLESS_REST) : 0;
  }

  /** True at most four times a second; once a second while quiet, when it takes the place of a peek. */
  isWritersTurn(nowMs: number): boolean {
    return nowMs >= this.#writersAtMs + (this.isQuiet(nowMs) ? WRITERS_EVERY_QUIET_MS : WRITERS_EVERY_MS);
  }

  noteWritersAsked(nowMs: number): void {
    this.#writersAtMs = nowMs;
  }

  /** During a backlog: true if the next read may start from the watermark again. */
  mayReread(nowMs: number): boolean {
    return nowMs >= this.#rereadAtMs;
  }

  noteReread({ startedMs, nowMs }: { startedMs: number; nowMs: number }): void {
    this.#rereadAtMs = nowMs + Math.max(REREAD_MS, (nowMs - startedMs) * REREAD_SHARE);
  }

  /**
   * Time until retries may be claimed, ms, if the next known one is due in `dueInMs`; 0 or less: now. The list of
   * retries is read only once a second, so while an operator retries many, claims do not wait for it.
   */
  retryInMs(dueInMs: number, nowMs: number): number {
    const waitMs = this.#retryAtMs - nowMs;
    return nowMs < this.#retriesFlowUntilMs ? waitMs : Math.max(dueInMs, waitMs);
  }

  /** Notes a claim of retries. `unlisted`: it found some that the list of retries does not have. */
  noteRetriesClaimed(claim: {
    messages: number;
    limit: number;
    unlisted: boolean;
    tookMs: number;
    nowMs: number;
  }): void {
    const { messages, limit, unlisted, tookMs, nowMs } = claim;
    if (unlisted) this.#retriesFlowUntilMs = nowMs + FLOW_MS;
    if (messages < limit && (messages === 0 || unlisted)) this.#retryAtMs = nowMs + RETRY_AGAIN_MS;
    else this.#retryAtMs = nowMs + (this.isComing(nowMs) ? tookMs * RETRY_REST : 0);
  }

  /**
   * Wait after a read that found the end of the table: 1 ms while messages come, or none after every second read that
   * found a few; a tenth of the idle time, 250 ms at most; longer where reads are slow and find nothing.
   */
  afterReadMs(nowMs: number): number {
    if (this.#readsAtOnce) return 0;
    return Math.max(this.#restMs, Math.min(Math.max(BUSY_POLL_MS, (nowMs - this.#lastFoundMs) / 10), IDLE_POLL_MS));
  }

  /** The same after a peek that found nothing. */
  get afterPeekMs(): number {
    return Math.max(this.#restMs, IDLE_POLL_MS);
  }

  /** Errors in a row so far. */
  get errors(): number {
    return this.#errors;
  }

  /** Call after a read; true if it is the first one since an error. */
  endsFailure(): boolean {
    const ends = this.#unread;
    this.#unread = false;
    return ends;
  }

  noteStep(): void {
    this.#errors = 0;
  }

  /**
   * Wait after an error, ms: doubled with each in a row, 5 s at most, of which up to half is random (`random` in 0..1).
   */
  afterErrorMs(random: number): number {
    this.#errors += 1;
    this.#unread = true;
    const doubled = FIRST_ERROR_MS * 2 ** Math.min(this.#errors, MOST_DOUBLINGS);
    return Math.min(LONGEST_ERROR_MS, doubled) * (0.5 + random / 2);
  }
}
