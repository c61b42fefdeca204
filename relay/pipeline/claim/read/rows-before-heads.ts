import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import type { PipelineContext } from "../../state/pipeline-context.ts";
import { SearchPace } from "../../state/search-pace.ts";
import type { Watermark } from "../../state/watermark.ts";
import type { UnprovenHead, Withheld } from "../../state/withheld.ts";

interface Search {
  heads: ReadonlyMap<string, UnprovenHead>;
  /** The watermark when the search began: nothing can still be committed below it. */
  closed: OrderKey;
  /** The last place of the search. */
  until: OrderKey;
  next: OrderKey | null;
}

/**
 * Looks for rows before the heads of aggregates that were blocked before the watermark had a position, such as at the
 * start of a term: slow transactions may have committed some, and reads exclude blocked aggregates. An aggregate that
 * is released before it was searched is read again from the start of the table, so that its rows are not overtaken; for
 * thousands of aggregates that would be slow. The search goes in steps, without claims.
 */
export class RowsBeforeHeads {
  readonly #context: PipelineContext;
  readonly #state: { watermark: Watermark; withheld: Withheld };
  #search: Search | null = null;
  readonly #pace = new SearchPace();

  constructor(context: PipelineContext, state: { watermark: Watermark; withheld: Withheld }) {
    this.#context = context;
    this.#state = state;
  }

  /** One step, if it is due and the heads of some aggregates are unproven. */
  async look(): Promise<void> {
    const startedMs = performance.now();
    if (!this.#pace.isDue(startedMs)) return;
    this.#search ??= this.#begin();
    if (!this.#search) return;
    try {
      if (await this.#step(this.#search)) this.#search = null;
      this.#pace.rest(startedMs);
    } catch (error) {
      this.#pace.restAfterFailure();
      this.#context.log.debug({ err: error }, "rows before failed messages could not be read; trying again later");
    }
  }

  #begin(): Search | null {
    const { watermark, withheld } = this.#state;
    const { compareOrder } = this.#context.table;
    const closed = watermark.position;
    if (closed === null || !withheld.hasUnproven) return null;
    const heads = withheld.unproven();
    const firsts = [...heads.values()].map(({ first }) => first);
    const last = firsts.reduce((left, right) => (compareOrder(left, right) < 0 ? right : left));
    return { heads, closed, until: compareOrder(last, closed) < 0 ? last : closed, next: null };
  }

  /** True if the search is over. */
  async #step(search: Search): Promise<boolean> {
    const { table, lease } = this.#context;
    const { heads, closed, until, next } = search;
    const { rows } = await table.lookAhead({ lease, after: next, excludeIds: [] });
    for (const { aggregateKey: key, order } of rows) {
      const head = key === null ? undefined : heads.get(key);
      if (key !== null && head && table.compareOrder(order, head.first) < 0) this.#state.withheld.note(key, order);
    }
    const last = rows.at(-1)?.order ?? null;
    const isStuck = last === null || (next !== null && table.compareOrder(last, next) <= 0);
    search.next = last;
    if (!isStuck && table.compareOrder(last, until) < 0) return false;
    for (const [key, head] of heads) this.#state.withheld.prove(key, head, closed);
    return true;
  }
}
