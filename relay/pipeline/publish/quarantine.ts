import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Claim } from "#db/stores/port/relay/claim.ts";
import { LeaseLostError } from "#db/stores/port/relay/lease.ts";
import type { SuspectEntry } from "#db/stores/port/relay/suspect-entry.ts";
import { CRASH } from "#domain/failure.ts";
import type { Breaker } from "../state/breaker.ts";
import { laneNameOf } from "../state/lanes/lane-name.ts";
import type { ClaimedMessage, Lanes } from "../state/lanes/lanes.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import type { Release } from "../state/release.ts";
import type { Retries } from "../state/retries.ts";
import type { Withheld } from "../state/withheld.ts";
import type { OutcomeHandler } from "./outcome-handler.ts";
import type { Publisher } from "./publisher.ts";

export interface QuarantineState {
  lanes: Lanes;
  release: Release;
  withheld: Withheld;
  retries: Retries;
  breaker: Breaker;
}

type Found = Pick<SuspectEntry, "id" | "eventType" | "aggregateKey" | "order">;

export interface QuarantineEvents {
  /** True unless paused, stopping or past the lease. */
  mayPublish: () => boolean;
  /** True if it is paused on purpose or its route is at fault. */
  waits: (message: Found) => boolean;
  /** A message was found in the table: if its event type or route waits, its aggregate waits from it on. */
  meet: (message: Found) => void;
  /** Messages may be read again. */
  wake: () => void;
  lost: (error: Error) => void;
}

/** Length of a turn of suspects. Others then get as long, so that thousands of suspects do not stop an outbox. */
const TURN_MS = 250;
const SETTLE_MS = 30_000;
/** Claims stay small for this long after a relay died: if the next one dies too, few messages become suspects. */
const CAREFUL_MS = 10_000;
const CAREFUL_BATCH = 50;

/**
 * Publishes suspects one at a time: messages that were with a relay more than once when it died. No other message of
 * this process is with a sink then, and the claim records that: if the process dies, the next owner knows which message
 * to blame. The suspect's aggregate waits.
 */
export class Quarantine {
  readonly #context: PipelineContext;
  readonly #state: QuarantineState;
  readonly #outcomes: OutcomeHandler;
  readonly #publisher: Publisher;
  readonly #events: QuarantineEvents;
  readonly #startedMs = performance.now();
  #suspects: SuspectEntry[] = [];
  /** Aggregates that wait for suspects. */
  #waitingKeys: ReadonlySet<string> = new Set();
  /** Tokens of claims whose answer was lost. */
  readonly #doubtful = new Set<string>();
  #stopped = false;
  #working = false;
  #examining: Promise<void> = Promise.resolve();

  constructor(
    context: PipelineContext,
    state: QuarantineState,
    parts: { outcomes: OutcomeHandler; publisher: Publisher },
    events: QuarantineEvents,
  ) {
    this.#context = context;
    this.#state = state;
    this.#outcomes = parts.outcomes;
    this.#publisher = parts.publisher;
    this.#events = events;
  }

  has(id: string): boolean {
    return this.#suspects.some((suspect) => suspect.id === id);
  }

  /** Most messages in memory; Infinity if no relay died recently. */
  get batchLimit(): number {
    const careful = this.#context.table.suspectCount > 0 && performance.now() - this.#startedMs < CAREFUL_MS;
    return careful ? CAREFUL_BATCH : Number.POSITIVE_INFINITY;
  }

  /**
   * Reads the suspects and withholds their aggregates. Called before the first claim, then while there are suspects.
   */
  async refresh(): Promise<void> {
    const { lanes, release, withheld } = this.#state;
    const { table, lease } = this.#context;
    await this.#endDoubtful();
    const found = await table.listSuspects({ lease });
    const keys = new Set(found.flatMap(({ aggregateKey }) => aggregateKey ?? []));
    const gone = [...this.#waitingKeys].filter((key) => !keys.has(key));
    this.#waitingKeys = keys;
    for (const suspect of found) {
      this.#events.meet(suspect);
      const { aggregateKey, order } = suspect;
      if (aggregateKey === null) continue;
      withheld.withhold(aggregateKey, "suspect", order);
      this.#outcomes.giveBack(lanes.surplus(aggregateKey, 0));
    }
    this.#suspects = found;
    for (const key of gone) release.free(key, "suspect");
    if (gone.length > 0) this.#events.wake();
    void this.#work();
  }

  stop(): void {
    this.#stopped = true;
  }

  /** Resolves once no claim of a suspect is in progress. */
  examined(): Promise<void> {
    return this.#examining.catch(() => undefined);
  }

  async #work(): Promise<void> {
    if (this.#working || this.#suspects.length === 0) return;
    this.#working = true;
    try {
      while (!this.#stopped && this.#next()) {
        const begunMs = performance.now();
        await this.#context.isolation.alone(
          () => this.#turn(),
          () => this.#stopped,
        );
        await this.refresh();
        await delay(performance.now() - begunMs, undefined, { ref: false });
      }
    } catch (error) {
      if (error instanceof LeaseLostError) this.#events.lost(error);
      else this.#context.log.warn({ err: error }, "suspects cannot be published now; trying again");
    } finally {
      this.#working = false;
    }
  }

  async #turn(): Promise<void> {
    const endMs = performance.now() + TURN_MS;
    for (;;) {
      const suspect = this.#next();
      if (!suspect || this.#stopped) return;
      this.#examining = this.#examine(suspect);
      await this.#examining;
      if (performance.now() >= endMs) return;
    }
  }

  /** The next suspect that may be published now. */
  #next(): SuspectEntry | undefined {
    const { breaker, lanes, retries, withheld } = this.#state;
    if (!this.#events.mayPublish()) return undefined;
    if (breaker.isOpen && (breaker.probing || breaker.probeInMs(performance.now()) > 0)) return undefined;
    const { compareOrder } = this.#context.table;
    const blocking = this.#context.settings.onFailure === "block";
    return this.#suspects.find(
      (suspect) =>
        (suspect.due || suspect.killsRelays) &&
        !lanes.has(suspect.id) &&
        !this.#events.waits(suspect) &&
        (suspect.aggregateKey === null ||
          (!lanes.hasAggregate(suspect.aggregateKey) &&
            !withheld.isBehindOne(suspect.aggregateKey, suspect.order) &&
            !(blocking && retries.earlier(suspect.aggregateKey, suspect.order, compareOrder)))),
    );
  }

  async #examine(suspect: SuspectEntry): Promise<void> {
    const { log } = this.#context;
    this.#suspects = this.#suspects.filter((other) => other !== suspect);
    const claim = await this.#claim(suspect);
    if (!claim) return;
    const claimed = this.#take(claim);
    if (!claimed) {
      // Already in memory by another claim. This claim would blame the message if the process died, so it is ended.
      await this.#end([claim.token]);
      return;
    }
    if (suspect.killsRelays && claimed.message.id === suspect.id) {
      log.warn({ message: suspect.id }, "dead-lettering a message that kills the relay");
      this.#state.lanes.finish(claimed);
      this.#outcomes.deadLetter(claimed, { failure: CRASH, startedAt: suspect.diedAt });
    } else if (!this.#stopped && this.#events.mayPublish() && !this.#events.waits(claimed.message)) {
      log.info({ message: claimed.message.id }, "publishing a quarantined message alone");
      if (this.#state.breaker.isOpen)
        this.#state.breaker.beginProbe(laneNameOf(claimed.message), claimed.message.eventType);
      await this.#publisher.publishAlone(claimed);
    } else {
      // An earlier message of the aggregate may have been claimed in the suspect's place, and may have to wait.
      this.#events.meet(claimed.message);
      this.#state.lanes.finish(claimed);
      this.#outcomes.giveBack([claimed]);
    }
    await this.#settled(claimed);
  }

  /**
   * A claim whose answer was lost may exist, and would blame the message if the process died. It is ended before
   * anything else is published, and again before suspects are read next, in case its commit was still in progress.
   */
  async #claim(suspect: SuspectEntry): Promise<Claim | null> {
    const { table, lease } = this.#context;
    const token = randomUUID();
    try {
      return await table.claimSuspect({ lease, suspect, token });
    } catch (error) {
      if (error instanceof LeaseLostError) throw error;
      this.#doubtful.add(token);
      await this.#end([token]).catch(() => undefined);
      throw error;
    }
  }

  async #endDoubtful(): Promise<void> {
    if (this.#doubtful.size === 0) return;
    const tokens = [...this.#doubtful];
    await this.#end(tokens);
    for (const token of tokens) this.#doubtful.delete(token);
  }

  async #end(endedTokens: string[]): Promise<void> {
    const { table, lease } = this.#context;
    await table.settle({ lease, entries: [], endedTokens, afterDoubt: false });
  }

  #take(claim: Claim): ClaimedMessage | undefined {
    const [message] = claim.messages;
    if (!message || this.#state.lanes.has(message.id)) return undefined;
    const claimed = this.#state.lanes.add(message, claim.token, message.retried === true);
    this.#state.lanes.takeAlone(claimed);
    return claimed;
  }

  /** Waits for the settle: until the claim is gone, it blames the message if the process dies. */
  async #settled(claimed: ClaimedMessage): Promise<void> {
    const { lanes } = this.#state;
    const deadline = performance.now() + SETTLE_MS;
    while (lanes.has(claimed.message.id) && performance.now() < deadline && !this.#stopped) {
      this.#outcomes.noMoreEvidence(true);
      await delay(2, undefined, { ref: false });
    }
  }
}
