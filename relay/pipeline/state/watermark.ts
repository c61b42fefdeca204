import type { Horizon } from "#db/stores/port/relay/claim.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";

/** Rows made so long before they are read are history: nobody is writing beside them any more. */
export const AGED_MS = 10_000;

interface Candidate {
  order: OrderKey;
  /** Of the read that gave it. */
  horizon: Horizon;
  readAtMs: number;
  /** It was so old when it was read that nobody can still be writing beside it. */
  aged: boolean;
}

export interface ReadBegun {
  after: OrderKey | null;
  generation: number;
  /** It goes on where the last one ended, and tells nothing of what is before. */
  ahead: boolean;
}

/** A writer may take its place in the order a little before it gets a transaction id. */
const WRITER_WINDOW_MS = 2000;
/** Nothing else than a transaction that has been open for longer holds the watermark back: it may not write here at all. */
const HELD_BACK_MS = 2500;
/** Between two candidates of a table that is read every few milliseconds. */
const SPACING_MS = 50;

/**
 * Where reads begin: everything below has been read, and nobody who could still commit a row below was at work. Reads
 * start here and not at the last row read, since an earlier row of the same aggregate may be committed late and must
 * not be overtaken. Only a backlog is read on from where the last full page of it ended: its rows are so old that
 * nobody writes beside them, and what is in memory need not be left out of every page again.
 *
 * The watermark passes a value v only by a read that began below v, saw everything up to v, and whose snapshot says that
 * all transactions that were open when v was first read have ended.
 */
export class Watermark {
  readonly #compare: (left: OrderKey, right: OrderKey) => number;
  #position: OrderKey | null = null;
  #candidates: Candidate[] = [];
  #generation = 0;
  #ahead: OrderKey | null = null;

  constructor(compare: (left: OrderKey, right: OrderKey) => number) {
    this.#compare = compare;
  }

  /** Changes when rows that were read before must be read again. */
  get generation(): number {
    return this.#generation;
  }
  get position(): OrderKey | null {
    return this.#position;
  }

  /** True while nothing is known of the table: a read must begin at its start. */
  get isLost(): boolean {
    return this.#position === null && this.#ahead === null;
  }

  /** Where the next read begins; null for the start of the table. */
  get readFrom(): OrderKey | null {
    return this.#ahead ?? this.#position;
  }

  /** Some transaction is open for long; whether it writes this table is worth asking. */
  isHeldBack(nowMs: number): boolean {
    const [first] = this.#candidates;
    return first !== undefined && nowMs - first.readAtMs > HELD_BACK_MS;
  }

  /** `from`: a row below the watermark that must be read. `again`: from the watermark, although a backlog is read on. */
  begin(from: OrderKey | null = null, again = false): ReadBegun {
    const ahead = from === null && !again ? this.#ahead : null;
    const after = from ?? ahead ?? this.#position;
    return { after, generation: this.#generation, ahead: ahead !== null };
  }

  /**
   * What a read that began with `begun` has seen: `reached` is its last row, or the table's last unsent row where it
   * was asked for; `more` when there may be rows behind it.
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
    this.#ahead = more && input.aged && reached !== null ? this.#later(this.#ahead, reached) : null;
    if (reached !== null) this.#propose({ order: reached, horizon, readAtMs: nowMs, aged: input.aged });
  }

  /**
   * Of the rows up to `reached`, all aged, none may go out: the next read begins there, also where a backlog had been read
   * on further, since what is behind was not looked at. False when rows went back meanwhile: it tells nothing then.
   */
  noteSkip(input: { begun: ReadBegun; reached: OrderKey; horizon: Horizon; nowMs: number }): boolean {
    const { begun, reached, horizon, nowMs } = input;
    if (begun.generation !== this.#generation) return false;
    if (!begun.ahead) this.#pass({ ...input, more: true });
    this.#ahead = reached;
    this.#propose({ order: reached, horizon, readAtMs: nowMs, aged: true });
    return true;
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

  /** Rows from `order` on must be read again; all without one. Reads that are under way saw too little to move the watermark. */
  rewind(order: OrderKey | null): void {
    if (order === null) {
      this.reset();
      return;
    }
    this.#generation += 1;
    this.#candidates = [];
    if (this.#ahead !== null && this.#compare(order, this.#ahead) <= 0) this.#ahead = null;
    if (this.#position !== null && this.#compare(order, this.#position) < 0) this.#position = order;
  }

  /** Something is in doubt: read everything again. */
  reset(): void {
    this.#generation += 1;
    this.#candidates = [];
    this.#ahead = null;
    this.#position = null;
  }
}
