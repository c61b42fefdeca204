import type { Horizon } from "#db/stores/port/relay/claim.ts";
import type { CompareOrder, OrderKey } from "#db/stores/port/relay/outgoing-message.ts";

/** Rows older than this are assumed to have no concurrent earlier writers. */
export const AGED_MS = 10_000;

interface Candidate {
  order: OrderKey;
  /** Horizon of the read that found it. */
  horizon: Horizon;
  readAtMs: number;
  /** True if it was aged when it was read: no concurrent earlier writers. */
  aged: boolean;
}

export interface ReadBegun {
  after: OrderKey | null;
  generation: number;
  /** True if it continues where the last one ended, and so says nothing about rows before that. */
  ahead: boolean;
  /** If it continues: everything before `after` was read that had been committed before this read. */
  since: Horizon | null;
}

/** A writer may take its place in the order up to this long before it gets a transaction id. */
const WRITER_WINDOW_MS = 2000;
/** A watermark held back for longer than this waits for an open transaction, which may not even write this table. */
const HELD_BACK_MS = 2500;
/** If nothing can be read on, reads begin at the watermark for this long. */
const IN_VAIN_MS = 1000;
/** Least time between two candidates, because the table may be read every few milliseconds. */
const SPACING_MS = 50;

/**
 * Where reads begin: everything below has been read, and no transaction was open that could still commit a row below.
 * Reads begin here and not at the last row read, since an earlier row of the same aggregate may be committed late and
 * must not be overtaken. Only a backlog is read on from the end of its last full page: its rows are aged and were
 * committed before the read that began at the watermark, and messages in memory need not be excluded from every page
 * again.
 *
 * The watermark passes a value v only by a read that began below v, saw everything up to v, and whose snapshot shows
 * that all transactions that were open when v was first read have ended.
 */
export class Watermark {
  readonly #compare: CompareOrder;
  #position: OrderKey | null = null;
  #candidates: Candidate[] = [];
  #generation = 0;
  #ahead: OrderKey | null = null;
  /** Horizon of the read from the watermark since which a backlog is read on. */
  #since: Horizon | null = null;
  #aheadFromMs = Number.NEGATIVE_INFINITY;

  constructor(compare: CompareOrder) {
    this.#compare = compare;
  }

  /** Changes when rows that were read before must be read again. */
  get generation(): number {
    return this.#generation;
  }
  get position(): OrderKey | null {
    return this.#position;
  }

  /** True before any read of the table: a read must then begin at its start. */
  get isLost(): boolean {
    return this.#position === null && this.#ahead === null;
  }

  /** Where the next read begins; null for the start of the table. */
  get readFrom(): OrderKey | null {
    return this.#ahead ?? this.#position;
  }

  /**
   * True if a long transaction seems to hold the watermark back. Then it is worth asking whether it writes this table.
   */
  isHeldBack(nowMs: number): boolean {
    const [first] = this.#candidates;
    return first !== undefined && nowMs - first.readAtMs > HELD_BACK_MS;
  }

  /** `from`: a row below the watermark to begin at. `again`: begin at the watermark, even during a backlog. */
  begin(from: OrderKey | null = null, again = false): ReadBegun {
    const ahead = from === null && !again ? this.#ahead : null;
    const after = from ?? ahead ?? this.#position;
    return { after, generation: this.#generation, ahead: ahead !== null, since: ahead === null ? null : this.#since };
  }

  /**
   * Notes a read that began with `begun`. `reached`: its last row, or the table's last unsent row if that was
   * requested. `more`: there may be rows behind it.
   */
  noteRead(input: {
    begun: ReadBegun;
    reached: OrderKey | null;
    more: boolean;
    horizon: Horizon;
    aged: boolean;
    nowMs: number;
  }): void {
    const { begun, reached, more, horizon, nowMs } = input;
    if (begun.generation !== this.#generation) return;
    if (!begun.ahead) this.#pass(input);
    if (begun.ahead && reached === null) this.#aheadFromMs = nowMs + IN_VAIN_MS;
    this.#goAhead(begun, horizon, more && input.aged && nowMs >= this.#aheadFromMs ? reached : null);
    if (reached !== null) this.#propose({ order: reached, horizon, readAtMs: nowMs, aged: input.aged });
  }

  /**
   * Notes that none of the rows up to `reached`, all aged, may be published. The next read begins there, even if a
   * backlog was read further, since rows after it were not checked. False if rows went back meanwhile: nothing is
   * skipped then.
   */
  noteSkip(input: { begun: ReadBegun; reached: OrderKey; horizon: Horizon; nowMs: number }): boolean {
    const { begun, reached, horizon, nowMs } = input;
    if (begun.generation !== this.#generation) return false;
    if (!begun.ahead) this.#pass({ ...input, more: true });
    this.#ahead = null;
    this.#goAhead(begun, horizon, reached);
    this.#propose({ order: reached, horizon, readAtMs: nowMs, aged: true });
    return true;
  }

  /** A read from the watermark that was cut off before `ahead` says nothing about the rows between. */
  #goAhead({ ahead }: ReadBegun, horizon: Horizon, reached: OrderKey | null): void {
    const later = reached === null ? null : this.#later(this.#ahead, reached);
    if (!ahead && later === reached) this.#since = horizon;
    this.#ahead = later;
  }

  #pass(input: { reached: OrderKey | null; more: boolean; horizon: Horizon; nowMs: number }): void {
    const { reached, more, horizon, nowMs } = input;
    let passed = 0;
    for (const candidate of this.#candidates) {
      const settled = candidate.aged || nowMs - candidate.readAtMs >= WRITER_WINDOW_MS;
      const seen = !more || (reached !== null && this.#compare(candidate.order, reached) <= 0);
      const ended = horizon.hasPassed(candidate.horizon);
      if (!settled || !seen || !ended) break;
      this.#position = candidate.order;
      passed += 1;
    }
    if (passed > 0) this.#candidates.splice(0, passed);
  }

  #later(left: OrderKey | null, right: OrderKey): OrderKey {
    return left !== null && this.#compare(left, right) > 0 ? left : right;
  }

  #propose(candidate: Candidate): void {
    const last = this.#candidates.at(-1);
    const before = last?.order ?? this.#position;
    if (before !== null && this.#compare(candidate.order, before) <= 0) return;
    if (last && !candidate.aged && candidate.readAtMs - last.readAtMs < SPACING_MS) return;
    this.#candidates.push(candidate);
  }

  /**
   * Rows from `order` on must be read again; null: all rows. Reads in progress no longer move the watermark. Candidates
   * stay: they record open writers and not reads, and only a read that begins from now on passes them.
   */
  rewind(order: OrderKey | null): void {
    this.#generation += 1;
    const isBefore = (place: OrderKey, margin: number) => order === null || this.#compare(order, place) < margin;
    if (this.#ahead !== null && isBefore(this.#ahead, 1)) this.#ahead = null;
    if (this.#position !== null && isBefore(this.#position, 0)) this.#position = order;
  }

  /** Makes all rows be read again, because something is in doubt. */
  reset(): void {
    this.#generation += 1;
    this.#candidates = [];
    this.#ahead = null;
    this.#position = null;
  }
}
