import type { ListedRows, WaitingRow } from "#db/stores/port/relay/claim.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { isUnreachable } from "#db/stores/port/store-error.ts";
import type { PipelineContext } from "../../state/pipeline-context.ts";
import { AGED_MS, type ReadBegun } from "../../state/watermark.ts";
import type { ClaimPacing } from "../claim-pacing.ts";
import type { ClaimerState } from "../claimer-state.ts";

/** An older list is dropped: a row committed since among its rows waits for a read from the watermark. */
const MOST_AGE_MS = 10_000;
/** A list of which fewer rows may be published than one in so many is not worth its query. */
const LEAST_SHARE = 4;
/** Wait after a failed query, such as one that timed out, and where lists are of no use. Reads work without them. */
const USELESS_MS = 30_000;
/** Wait after a claim that found none of its rows: the next read searches for others. */
const AFTER_NOTHING_MS = 1000;
/** Claims by key that take longer have no index for the keys. */
const SLOW_CLAIM_MS = 500;

type ListContext = Pick<PipelineContext, "lease" | "log"> & {
  table: Pick<RelayTable, "compareOrder" | "claimsByKey" | "lookAhead">;
};
type ListState = {
  lanes: Pick<ClaimerState["lanes"], "has" | "ids">;
  watermark: Pick<ClaimerState["watermark"], "generation">;
  withheld: Pick<ClaimerState["withheld"], "has">;
};

/**
 * The places of a backlog's next rows. In a table without an index of their order each read scans and sorts all rows:
 * a million waiting ones went out at 900 a second. One query lists the places of 20,000, and the next claims find
 * their rows by key. The rows are those that a read would have found when the list was made: aged, and before anything
 * that went back.
 */
export class RowList {
  readonly #context: ListContext;
  readonly #state: ListState;
  readonly #pacing: Pick<ClaimPacing, "isScanning" | "noteListed">;
  #rows: readonly WaitingRow[] = [];
  /** Where the list begins; null without one. */
  #from: OrderKey | null = null;
  /** The first row that no claim has passed. */
  #next = 0;
  /** Ids that claims have taken from the list: rows of one place are told apart by them alone. */
  readonly #taken = new Set<string>();
  #generation = 0;
  #listedMs = 0;
  #notBeforeMs = 0;

  constructor(context: ListContext, state: ListState, pacing: Pick<ClaimPacing, "isScanning" | "noteListed">) {
    this.#context = context;
    this.#state = state;
    this.#pacing = pacing;
  }

  /** The rows of the next claim, at most `limit`; null if it is to search for them. Only a backlog has a list. */
  async next({ after, ahead }: ReadBegun, limit: number): Promise<ListedRows | null> {
    if (!this.#context.table.claimsByKey || !ahead || after === null) return null;
    const listed = this.#take(after, limit);
    if (listed !== null || !this.#pacing.isScanning || performance.now() < this.#notBeforeMs) return listed;
    await this.#list(after);
    return this.#take(after, limit);
  }

  /** When its rows were seen, by `performance.now()`. */
  get listedMs(): number {
    return this.#listedMs;
  }

  /** Call after a claim of listed rows. */
  noteClaim(messages: readonly { id: string }[], tookMs: number): void {
    for (const { id } of messages) this.#taken.add(id);
    if (tookMs > SLOW_CLAIM_MS) this.#giveUp(USELESS_MS);
    else if (messages.length === 0) this.#giveUp(AFTER_NOTHING_MS);
  }

  #giveUp(forMs: number): void {
    this.#drop();
    this.#notBeforeMs = performance.now() + forMs;
  }

  #drop(): void {
    this.#from = null;
    this.#rows = [];
    this.#taken.clear();
  }

  #mayGo({ id, aggregateKey }: WaitingRow): boolean {
    const { lanes, withheld } = this.#state;
    return !this.#taken.has(id) && !lanes.has(id) && !(aggregateKey !== null && withheld.has(aggregateKey));
  }

  #take(after: OrderKey, limit: number): ListedRows | null {
    const { watermark } = this.#state;
    const { compareOrder } = this.#context.table;
    const old = performance.now() - this.#listedMs > MOST_AGE_MS || this.#generation !== watermark.generation;
    if (old || this.#from === null || compareOrder(after, this.#from) < 0) {
      this.#drop();
      return null;
    }
    const isPassed = (row: WaitingRow | undefined) => row !== undefined && compareOrder(row.order, after) < 0;
    while (isPassed(this.#rows[this.#next])) this.#next += 1;
    const ids: string[] = [];
    let until: OrderKey | null = null;
    for (let place = this.#next; place < this.#rows.length && ids.length < limit; place += 1) {
      const row = this.#rows[place] as WaitingRow;
      until = row.order;
      if (this.#mayGo(row)) ids.push(row.id);
    }
    return until !== null && ids.length > 0 ? { ids, until } : null;
  }

  async #list(after: OrderKey): Promise<void> {
    const { lease, log, table } = this.#context;
    const { lanes, watermark } = this.#state;
    const [startedMs, { generation }] = [performance.now(), watermark];
    this.#drop();
    try {
      const { rows } = await table.lookAhead({ lease, after, excludeIds: lanes.ids(after) });
      this.#pacing.noteListed(performance.now() - startedMs);
      const young = rows.findIndex(({ ageMs }) => !(ageMs > AGED_MS));
      this.#rows = young < 0 ? rows : rows.slice(0, young);
      this.#from = after;
      this.#next = 0;
      this.#generation = generation;
      this.#listedMs = startedMs;
      if (this.#rows.length === 0) this.#giveUp(AFTER_NOTHING_MS);
      // In place of rows of withheld aggregates, a search finds as many of others.
      if (this.#rows.filter((row) => this.#mayGo(row)).length * LEAST_SHARE < this.#rows.length)
        this.#giveUp(USELESS_MS);
    } catch (error) {
      if (isUnreachable(error)) throw error;
      this.#notBeforeMs = performance.now() + USELESS_MS;
      log.debug({ err: error }, "the places of waiting rows could not be listed; reading them instead");
    }
  }
}
