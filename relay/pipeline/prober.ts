import type { Claim, ClaimRequest } from "#db/outbox/claim.ts";
import type { ClaimerState, ClaimKind } from "./claimer-state.ts";
import type { PipelineContext } from "./pipeline-context.ts";
import { BUSY_POLL_MS, IDLE_POLL_MS } from "./poll-intervals.ts";

/** Claims for a sink that cannot be used: one message at a time, each of another aggregate. */
export class Prober {
  readonly #context: PipelineContext;
  readonly #state: ClaimerState;
  readonly #request: (excludeAggregates: string[]) => ClaimRequest;
  readonly #accept: (claim: Claim, kind: ClaimKind) => void;

  constructor(
    context: PipelineContext,
    state: ClaimerState,
    input: {
      /** A request for the start of the table. */
      request: (excludeAggregates: string[]) => ClaimRequest;
      accept: (claim: Claim, kind: ClaimKind) => void;
    },
  ) {
    this.#context = context;
    this.#state = state;
    this.#request = input.request;
    this.#accept = input.accept;
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
    const { table, lease } = this.#context;
    const claim =
      found ?? (await table.claimDueRetries({ lease, limit: 1, excludeIds: retries.notHeads(table.compareOrder) }));
    if (claim) this.#accept(claim, found ? "probe" : "retry");
    else breaker.forgetProbed();
    return IDLE_POLL_MS;
  }

  async #claimUnprobed(): Promise<Claim | null> {
    const { breaker, wentBack, withheld, feed } = this.#state;
    const excluded = [...withheld.keys(), ...breaker.probed()];
    wentBack.begin();
    withheld.beginRead();
    if (feed?.alone) return feed.probe(new Set(excluded));
    const { claim } = await this.#context.table.claimNew({ ...this.#request(excluded), limit: 1 });
    return claim;
  }
}
