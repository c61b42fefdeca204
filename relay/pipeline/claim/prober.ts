import type { Claim, ClaimRequest } from "#db/stores/port/relay/claim.ts";
import type { OutcomeHandler } from "../publish/outcome-handler.ts";
import { idOfLane } from "../state/lanes/lane-name.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import { SearchPace } from "../state/search-pace.ts";
import { MAX_CLAIM_BYTES } from "./claim-capacity.ts";
import type { ClaimerState, ClaimKind } from "./claimer-state.ts";
import type { Followers } from "./followers.ts";
import { BUSY_POLL_MS, IDLE_POLL_MS } from "./poll-intervals.ts";

/** Least time between two claims of a message as evidence. */
const EVIDENCE_EVERY_MS = 100;

/** Claims probes for a sink that cannot be used: one message at a time, each of another aggregate. */
export class Prober {
  readonly #context: PipelineContext;
  readonly #state: ClaimerState;
  readonly #request: (excludeAggregates: string[]) => ClaimRequest;
  readonly #accept: (claim: Claim, kind: ClaimKind) => void;

  readonly #followers: Pick<Followers, "claimOne">;
  readonly #outcomes: Pick<OutcomeHandler, "nothingElse" | "beginEvidence" | "foundEvidence">;
  readonly #probeRoutes: (nowMs: number) => Promise<number>;
  /** Of searches for another event type. */
  readonly #pace = new SearchPace();
  #evidenceFromMs = 0;

  constructor(
    context: PipelineContext,
    state: ClaimerState,
    input: {
      /** A request for the start of the table. */
      request: (excludeAggregates: string[]) => ClaimRequest;
      accept: (claim: Claim, kind: ClaimKind) => void;
      followers: Pick<Followers, "claimOne">;
      outcomes: Pick<OutcomeHandler, "nothingElse" | "beginEvidence" | "foundEvidence">;
      /** Claims a message that its route holds back: it probes the sink too. */
      probeRoutes: (nowMs: number) => Promise<number>;
    },
  ) {
    this.#context = context;
    this.#state = state;
    this.#request = input.request;
    this.#accept = input.accept;
    this.#followers = input.followers;
    this.#outcomes = input.outcomes;
    this.#probeRoutes = input.probeRoutes;
  }

  /**
   * Claims a message if a probe is due: a failed one if there is no other. Returns the wait until the next step, ms.
   */
  async step(nowMs: number): Promise<number> {
    const { breaker, lanes, feed } = this.#state;
    feed?.rest("sink");
    // A probe that was given back unpublished has no result.
    if (breaker.probing && lanes.size === 0) breaker.probeAborted();
    const inMs = breaker.probeInMs(nowMs);
    if (inMs > 0 || lanes.size > 0) return Math.min(Math.max(inMs, BUSY_POLL_MS * 5), IDLE_POLL_MS);
    const found = await this.#claimUnprobed();
    if (!found && !breaker.isOpen) return 0;
    const probed = new Set(breaker.probed());
    const followed = found ? null : await this.#followers.claimOne(probed);
    const claim = found ?? followed ?? (await this.#claimRetry(probed));
    if (claim) this.#accept(claim, found ? "probe" : followed ? "followed" : "retry");
    else {
      breaker.forgetProbed();
      // If routes hold back all remaining messages, only their probes reach the sink.
      await this.#probeRoutes(nowMs);
    }
    return IDLE_POLL_MS;
  }

  /**
   * Claims one of the last messages when due, and publishes it between the others: behind thousands of failing
   * messages, only this shows that the sink accepts others.
   */
  async claimEvidence(nowMs: number): Promise<void> {
    const { lanes, wentBack, withheld, feed } = this.#state;
    if (feed || nowMs < this.#evidenceFromMs) return;
    this.#outcomes.beginEvidence();
    wentBack.begin();
    withheld.beginRead();
    const request = this.#request([...withheld.keys(), ...lanes.keys()]);
    const claim = await this.#claimLast({ ...request, excludeIds: lanes.ids(), limit: 1 });
    this.#outcomes.foundEvidence(claim?.messages[0]?.id ?? null);
    if (claim) this.#accept(claim, "followed");
    this.#evidenceFromMs = performance.now() + EVIDENCE_EVERY_MS;
  }

  /** A different message each time, because one that always fails must not keep the others from probing. */
  #claimRetry(probed: ReadonlySet<string>): Promise<Claim | null> {
    const { table, lease } = this.#context;
    const { retries } = this.#state;
    const excludeIds = [...retries.notHeads(table.compareOrder), ...retries.idsOf(probed)];
    return table.claimDueRetries({ lease, limit: 1, excludeIds, maxBytes: MAX_CLAIM_BYTES });
  }

  /** Prefers another event type: its success shows that the sink works, and which part of it does not. */
  async #claimUnprobed(): Promise<Claim | null> {
    const { breaker, wentBack, withheld, feed } = this.#state;
    const probed = breaker.probed();
    const excluded = [...withheld.keys(), ...probed.filter((name) => idOfLane(name) === null)];
    const types = breaker.probedTypes();
    wentBack.begin();
    withheld.beginRead();
    if (feed?.alone) return (await feed.probe(new Set(excluded), new Set(types))) ?? feed.probe(new Set(excluded));
    const request = { ...this.#request(excluded), excludeIds: idsAmong(probed), limit: 1 };
    const other = types.length > 0 ? await this.#claimOther(request, types) : null;
    if (other || !this.#state.breaker.isOpen) return other;
    // The first messages may all be at fault, so every second probe is of the last message.
    const last = breaker.answered % 2 === 1 ? await this.#claimLast(request) : null;
    if (last) return last;
    return this.#claimFirst(request);
  }

  /** The first after the watermark; if there is none, the first of all: many rows may wait before the watermark. */
  async #claimFirst(request: ClaimRequest): Promise<Claim | null> {
    const { table } = this.#context;
    const { position: after } = this.#state.watermark;
    const { claim } = await table.claimNew({ ...request, after });
    return claim ?? (after === null ? null : (await table.claimNew(request)).claim);
  }

  async #claimLast(request: ClaimRequest): Promise<Claim | null> {
    const { table, lease } = this.#context;
    const message = await table.findHead({ request, excludeTypes: [], last: true });
    return message ? table.claimHead({ lease, message, from: this.#state.watermark.position }) : null;
  }

  /** Very many messages of the probed types may come first, so a failed search is not repeated at once. */
  async #claimOther(request: ClaimRequest, excludeTypes: string[]): Promise<Claim | null> {
    const { table, lease } = this.#context;
    const startedMs = performance.now();
    if (!this.#pace.isDue(startedMs)) return null;
    const message = await table.findHead({ request, excludeTypes });
    // An earlier row may have been committed since the search, but not below the watermark.
    if (message) return table.claimHead({ lease, message, from: this.#state.watermark.position });
    this.#pace.rest(startedMs);
    // Every type has probed, so each may probe again.
    this.#state.breaker.forgetProbedTypes();
    this.#outcomes.nothingElse();
    return null;
  }
}

/** Ids of messages without an aggregate that have probed. */
function idsAmong(lanes: readonly string[]): string[] {
  return lanes.flatMap((name) => idOfLane(name) ?? []);
}
