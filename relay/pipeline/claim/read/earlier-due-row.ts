import { setTimeout as delay } from "node:timers/promises";
import type { ClaimRequest } from "#db/stores/port/relay/claim.ts";
import type { OrderKey, OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import type { PipelineContext } from "../../state/pipeline-context.ts";
import { SearchPace } from "../../state/search-pace.ts";
import { IDLE_POLL_MS } from "../poll-intervals.ts";

/** Longest wait of messages that were scheduled: as long as the search for rows committed late pauses. */
const LONGEST_WAIT_MS = 1000;
/** One that takes longer may be the machine's fault. */
const SLOW = 2;

type SearchedTable = Pick<RelayTable, "compareOrder" | "findBefore" | "ordering" | "isMetered">;

/** What a search found before a place. `unknown`: it takes too long. */
type Before = OrderKey | "none" | "unknown";

/**
 * Searches for rows that are to be read before messages that were scheduled: of those that became due at the same
 * instant, a read finds only those from its start on. The messages wait for the search, a second at most. If one takes
 * longer they go back once, as that may be the machine's fault; if the next one does too, they go out without it.
 * Messages that may not have been scheduled, and those of a store whose reads have a budget, wait as for an idle poll,
 * and the searches take a twentieth of the time.
 */
export class EarlierDueRow {
  readonly #table: SearchedTable;
  readonly #log: PipelineContext["log"];
  readonly #request: () => ClaimRequest;
  #searching = false;
  readonly #pace = new SearchPace();
  /** Searches in a row that took too long. */
  #slow = 0;

  constructor(context: { table: SearchedTable; log: PipelineContext["log"] }, request: () => ClaimRequest) {
    this.#table = context.table;
    this.#log = context.log;
    this.#request = request;
  }

  /**
   * The first row before this place that is due. `again`: it is not known; read again. Null: the messages may go out.
   */
  async before(end: OrderKey, messages: readonly OutgoingMessage[]): Promise<OrderKey | "again" | null> {
    const scheduled = messages.filter((message) => message.scheduled);
    if (scheduled.length === 0 || this.#table.ordering.kind === "none") return null;
    if (this.#searching) this.#slow += 1;
    if (this.#searching || !this.#pace.isDue()) return null;
    // Without a creation time every message with a time of availability counts as scheduled.
    const isSure = scheduled.some(({ createdAt }) => createdAt !== null) && !this.#table.isMetered;
    const found = await Promise.race([
      this.#searchOnce(end, isSure),
      delay<Before>(isSure ? LONGEST_WAIT_MS : IDLE_POLL_MS, "unknown", { ref: false }),
    ]);
    this.#slow = found === "unknown" ? this.#slow + 1 : 0;
    if (found === "unknown") return isSure && this.#slow < SLOW ? "again" : null;
    return found === "none" ? null : found;
  }

  async #searchOnce(end: OrderKey, isSure: boolean): Promise<Before> {
    const startedMs = performance.now();
    this.#searching = true;
    try {
      const found = await this.#table.findBefore({ request: this.#request(), before: end });
      this.#rest(startedMs, isSure);
      return found ?? "none";
    } catch (error) {
      this.#pace.restAfterFailure();
      this.#slow += 1;
      this.#log.debug({ err: error }, "rows before a scheduled message could not be searched");
      return "unknown";
    } finally {
      this.#searching = false;
    }
  }

  #rest(startedMs: number, isSure: boolean): void {
    // A timer may be up to a millisecond early: messages waited for this one in vain.
    const isShort = performance.now() - startedMs < LONGEST_WAIT_MS - 1;
    this.#pace.rest(startedMs, isSure && (this.#slow < SLOW || isShort) ? { share: 0 } : {});
  }
}
