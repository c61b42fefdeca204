import type { ClaimRequest } from "#db/stores/port/relay/claim.ts";
import type { OrderKey, OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { OrderRestart } from "../../state/order-restart.ts";
import type { PipelineContext } from "../../state/pipeline-context.ts";
import type { RelayMemory } from "../../state/relay-memory.ts";
import { SearchPace } from "../../state/search-pace.ts";
import type { ReadBegun, Watermark } from "../../state/watermark.ts";
import { DueSoon } from "./due-soon.ts";
import { EarlierDueRow } from "./earlier-due-row.ts";

const SWEEP_MS = 1000;
/** Half of the time, while a row that was found waits for it. */
const CONFIRMING_SHARE = 1;

type SearchContext = Pick<PipelineContext, "log"> & {
  table: Pick<RelayTable, "compareOrder" | "findUnread" | "findBefore" | "ordering" | "isMetered">;
  memory: { late: Pick<RelayMemory["late"], "forget"> };
};

/**
 * Searches below the watermark for rows that may be published and were never read: committed late, or scheduled and now
 * due. Many rows stay in the table, so the search runs concurrently with the reads, a few thousand rows at a time, and
 * new messages never wait for it. It claims nothing; a read then begins at what it found. What it finds in the middle
 * of the table may follow rows that became due, or were committed, after the search had passed them: it searches those
 * again first, so that messages of one aggregate that are due at the same instant are read in order.
 */
export class LateRowSearch {
  readonly #context: SearchContext;
  readonly #watermark: Watermark;
  readonly #request: (after: OrderKey | null) => ClaimRequest;
  readonly #wake: () => void;
  readonly #restart = new OrderRestart();
  readonly #earlierDue: EarlierDueRow;
  readonly #dueSoon: DueSoon;
  /**
   * The watermark at the time when new rows appeared below it: from there on, no row is known to be the end of the
   * order.
   */
  #mistaken: OrderKey | null = null;
  #next: OrderKey | null = null;
  #found: OrderKey | null = null;
  /** A row was found in the middle of the table, and those before it are searched again. */
  #confirming = false;
  readonly #pace = new SearchPace();
  #searching = false;
  /** The last search from the table's start reached its end. */
  #isWhole = false;

  constructor(input: {
    context: SearchContext;
    watermark: Watermark;
    /** A request that excludes all messages in memory and all withheld aggregates. */
    request: (after: OrderKey | null) => ClaimRequest;
    wake: () => void;
  }) {
    this.#context = input.context;
    this.#watermark = input.watermark;
    this.#request = input.request;
    this.#earlierDue = new EarlierDueRow(input.context, () => input.request(null));
    this.#wake = input.wake;
    this.#dueSoon = new DueSoon(input.context.table.compareOrder, input.wake);
  }

  /**
   * Continues the search if it is due. True if a search of the whole table has begun, as far as the last one shows: it
   * replaces a peek.
   */
  begin(nowMs: number): boolean {
    if (this.#searching || !this.#pace.isDue(nowMs) || this.#found !== null) return false;
    this.#searching = true;
    const from = this.#next;
    void this.#search(from);
    return from === null && this.#isWhole;
  }

  /**
   * Where to read from: the first row that was found or is due by now, if it is below the watermark; otherwise null.
   */
  take(nowMs: number): OrderKey | null {
    const due = this.#dueSoon.first(nowMs);
    if (due !== null) this.#keep(due);
    const found = this.#found;
    this.#found = null;
    return found !== null && this.#isBelow(found) ? found : null;
  }

  /** True if a scheduled row is due that no read has found yet. */
  isDue(nowMs: number): boolean {
    return this.#dueSoon.first(nowMs) !== null;
  }

  /** A read from `after` on, which began at `startedMs`, has ended. */
  passed({ after }: Pick<ReadBegun, "after">, startedMs: number): void {
    this.#dueSoon.passed(after, startedMs);
  }

  /**
   * True if an earlier row is to be read before the messages of the read `begun`; the next read begins there. The
   * search for rows committed late would find a row that became due together with them up to a second later.
   */
  async precedes(messages: readonly OutgoingMessage[], { after }: Pick<ReadBegun, "after">): Promise<boolean> {
    // It became due while this was read.
    const due = after === null ? null : this.#dueSoon.first(performance.now());
    if (due !== null && after !== null && this.#context.table.compareOrder(due, after) < 0) return true;
    const found = after === null ? null : await this.#earlierDue.before(after, messages);
    if (found === null || found === "again") return found !== null;
    if (this.#isBelow(found)) this.#keep(found);
    // A backlog has passed it: reads begin at the watermark again.
    else this.#watermark.rewind(found);
    return true;
  }

  /** Reads begin at the first row that was found. */
  #keep(found: OrderKey): void {
    const known = this.#found;
    this.#found = known !== null && this.#context.table.compareOrder(known, found) < 0 ? known : found;
  }

  /** The read of the row found was cut off at `last` by its limit: there may be more before the watermark. */
  goOn(last: OrderKey): void {
    this.#found = last;
  }

  /**
   * Notes a read's messages; `below`: the row below the watermark at which it began. Messages that their producer
   * scheduled are no evidence about the order.
   */
  noteRead(below: OrderKey | null, messages: readonly OutgoingMessage[]): void {
    if (messages.every(({ scheduled }) => scheduled)) return;
    if (messages.some(({ order, scheduled }) => !scheduled && !this.mayEndAt(order))) this.#mistaken = null;
    if (below === null || !messages.every(({ order, scheduled }) => scheduled || this.#isBelow(order)))
      this.#restart.noteAbove();
    else if (this.#restart.noteBelow(performance.now())) this.#beginAgain();
  }

  /**
   * False for a row that may have been put above new ones, by hand or by another system: the watermark must not pass to
   * it.
   */
  mayEndAt(last: OrderKey): boolean {
    return this.#mistaken === null || this.#context.table.compareOrder(last, this.#mistaken) < 0;
  }

  #beginAgain(): void {
    const { log, memory } = this.#context;
    log.info(
      "new rows take places that were already read, as after a sequence restart; reading the table from its start",
    );
    this.#next = null;
    this.#found = null;
    this.#confirming = false;
    this.#mistaken = this.#watermark.position;
    this.#watermark.reset();
    memory.late.forget();
  }

  async #search(from: OrderKey | null): Promise<void> {
    const startedMs = performance.now();
    try {
      const result = await this.#context.table.findUnread(this.#request(from));
      if (result.soon) this.#dueSoon.note(result.soon, { askedMs: startedMs, answeredMs: performance.now() });
      if (from === null) this.#isWhole = result.next === null;
      const again = result.found !== null && this.#isBelow(result.found) && from !== null && !this.#confirming;
      const { found, next } = again ? { found: null, next: null } : result;
      const goesOn = found ?? next;
      this.#next = goesOn !== null && this.#isBelow(goesOn) ? goesOn : null;
      this.#confirming = again || (this.#confirming && found === null && this.#next !== null);
      const leastMs = again || (found === null && this.#next !== null) ? 0 : SWEEP_MS;
      const waitMs = this.#pace.rest(startedMs, { leastMs, ...(this.#confirming ? { share: CONFIRMING_SHARE } : {}) });
      // The next step of an idle relay may be long after. A timer may be up to a millisecond early.
      if (this.#confirming) setTimeout(this.#wake, Math.ceil(waitMs) + 1).unref();
      if (found === null) return;
      this.#keep(found);
      if (this.#isBelow(found)) this.#restart.noteFound();
      this.#wake();
    } catch (error) {
      this.#pace.restAfterFailure();
      this.#context.log.debug({ err: error }, "rows below the watermark could not be searched; trying again later");
    } finally {
      this.#searching = false;
    }
  }

  #isBelow(order: OrderKey): boolean {
    const { position } = this.#watermark;
    return position !== null && this.#context.table.compareOrder(order, position) < 0;
  }
}
