import type { Claim, ClaimRequest } from "#db/stores/port/relay/claim.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import type { ClaimerState, ClaimKind } from "./claimer-state.ts";
import { BUSY_POLL_MS, IDLE_POLL_MS } from "./poll-intervals.ts";

/** A search in vain for another event type takes at most a twentieth of the time. */
const SEARCH_SHARE = 20;

/** Claims for a sink that cannot be used: one message at a time, each of another aggregate. */
export class Prober {
  readonly #context: PipelineContext;
  readonly #state: ClaimerState;
  readonly #request: (excludeAggregates: string[]) => ClaimRequest;
  readonly #accept: (claim: Claim, kind: ClaimKind) => void;

  readonly #nothingElse: () => void;
  readonly #probeRoutes: (nowMs: number) => Promise<number>;
  /** Another event type is searched for from then on. */
  #searchFromMs = 0;

  constructor(
    context: PipelineContext,
    state: ClaimerState,
    input: {
      /** A request for the start of the table. */
      request: (excludeAggregates: string[]) => ClaimRequest;
      accept: (claim: Claim, kind: ClaimKind) => void;
      /** No other event type than those that failed is there to probe with. */
      nothingElse: () => void;
      /** Claims the first message of what waits for its route: it probes the sink too. */
      probeRoutes: (nowMs: number) => Promise<number>;
    },
  ) {
    this.#context = context;
    this.#state = state;
    this.#request = input.request;
    this.#accept = input.accept;
    this.#nothingElse = input.nothingElse;
    this.#probeRoutes = input.probeRoutes;
  }

  /** Claims a message when a probe is due: a failed one when there is no other. Returns how long to wait, ms. */
  async step(nowMs: number): Promise<number> {
    const { breaker, lanes, feed, retries } = this.#state;
    feed?.rest("sink");
    // A probe that was given back before it was published has told nothing.
    if (breaker.probing && lanes.size === 0) breaker.probeAborted();
    const inMs = breaker.probeInMs(nowMs);
    if (inMs > 0 || lanes.size > 0) return Math.min(Math.max(inMs, BUSY_POLL_MS * 5), IDLE_POLL_MS);
    const found = await this.#claimUnprobed();
    if (!found && !breaker.holds) return 0;
    const { table, lease } = this.#context;
    const claim =
      found ?? (await table.claimDueRetries({ lease, limit: 1, excludeIds: retries.notHeads(table.compareOrder) }));
    if (claim) this.#accept(claim, found ? "probe" : "retry");
    else {
      breaker.forgetProbed();
      // All that is left may wait for its route, and would wait for a probe of the sink for ever.
      await this.#probeRoutes(nowMs);
    }
    return IDLE_POLL_MS;
  }

  /** Of another event type where there is one: a success of it tells that the sink works, and which part of it does not. */
  async #claimUnprobed(): Promise<Claim | null> {
    const { breaker, wentBack, withheld, feed } = this.#state;
    const excluded = [...withheld.keys(), ...breaker.probed()];
    const types = breaker.probedTypes();
    wentBack.begin();
    withheld.beginRead();
    if (feed?.alone) return (await feed.probe(new Set(excluded), new Set(types))) ?? feed.probe(new Set(excluded));
    const request = { ...this.#request(excluded), limit: 1 };
    const other = types.length > 0 ? await this.#claimOther(request, types) : null;
    if (other || !this.#state.breaker.holds) return other;
    return (await this.#context.table.claimNew(request)).claim;
  }

  /** Very many messages of the types that have probed may be before it: a search in vain is not made again at once. */
  async #claimOther(request: ClaimRequest, excludeTypes: string[]): Promise<Claim | null> {
    const { table, lease } = this.#context;
    const startedMs = performance.now();
    if (startedMs < this.#searchFromMs) return null;
    const message = await table.findHead({ request, excludeTypes });
    const endedMs = performance.now();
    // A row before it may have been committed since it was chosen; not below the watermark.
    if (message) return table.claimHead({ lease, message, from: this.#state.watermark.position });
    this.#searchFromMs = endedMs + (endedMs - startedMs) * SEARCH_SHARE;
    // Each type has probed, and may again.
    this.#state.breaker.forgetProbedTypes();
    this.#nothingElse();
    return null;
  }
}
