import type { Claim } from "#db/stores/port/relay/claim.ts";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { OutcomeHandler } from "../publish/outcome-handler.ts";
import type { PauseKeeper } from "../publish/pause-keeper.ts";
import type { Publisher } from "../publish/publisher.ts";
import type { Quarantine } from "../publish/quarantine.ts";
import type { RouteKeeper } from "../publish/route-keeper.ts";
import type { Breaker } from "../state/breaker.ts";
import { laneNameOf } from "../state/lanes/lane-name.ts";
import type { ClaimedMessage, HowAdded, Lanes } from "../state/lanes/lanes.ts";
import type { LateCommits } from "../state/late-commits.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import type { Retries } from "../state/retries.ts";
import type { WentBack } from "../state/went-back.ts";
import type { Withheld } from "../state/withheld.ts";
import type { ClaimKind } from "./claimer-state.ts";

const HOW: Partial<Record<ClaimKind, HowAdded>> = { stream: "in_turn", followed: "followed" };

export interface IntakeState {
  lanes: Lanes;
  withheld: Withheld;
  wentBack: WentBack;
  retries: Retries;
  breaker: Breaker;
  late: LateCommits;
}

export interface IntakeParts {
  outcomes: OutcomeHandler;
  publisher: Publisher;
  quarantine: Quarantine;
  keeper: PauseKeeper;
  routeKeeper: RouteKeeper;
}

/** Takes claimed messages into memory, and gives back at once those that must not be published now. */
export class Intake {
  readonly #context: PipelineContext;
  readonly #state: IntakeState;
  readonly #parts: IntakeParts;
  readonly #refuses: () => boolean;

  /** `refuses`: true while the relay is paused or stopping and takes nothing in. */
  constructor(context: PipelineContext, state: IntakeState, parts: IntakeParts, refuses: () => boolean) {
    this.#context = context;
    this.#state = state;
    this.#parts = parts;
    this.#refuses = refuses;
  }

  /** `stale`: meanwhile a message that may precede these went back to the table. */
  accept(claim: Claim, kind: ClaimKind, stale = false): void {
    const { breaker, lanes } = this.#state;
    const [first] = claim.messages;
    if (breaker.isOpen && first && claim.messages.length === 1 && lanes.size === 0)
      breaker.beginProbe(laneNameOf(first), first.eventType);
    const refused = stale || this.#refuses() || (breaker.isOpen && !breaker.probing);
    const late: string[] = [];
    const returned: ClaimedMessage[] = [];
    for (const message of claim.messages) {
      // In memory by another claim, which continues; this claim of it ends unused. In memory twice, a message would
      // never be settled.
      if (lanes.has(message.id)) continue;
      const claimed = lanes.add(message, claim.token, kind === "retry", HOW[kind]);
      const back = this.#mustGoBack(claimed, kind, refused);
      if (back) returned.push(...back);
      else if (kind === "new" && this.#state.late.isLate(message)) late.push(message.id);
    }
    this.#parts.outcomes.giveBack(returned);
    if (late.length > 0) void this.#countLate(late);
    this.#parts.publisher.pump();
  }

  /** Messages of its lane that must go back; null if the message may be published. */
  #mustGoBack(claimed: ClaimedMessage, kind: ClaimKind, refused: boolean): ClaimedMessage[] | null {
    const { lanes, wentBack, withheld } = this.#state;
    // A route probe was chosen as the first message of its aggregate, so holds of the route and the aggregate do not
    // apply.
    if (kind === "route") {
      if (this.#parts.keeper.stops(claimed)) return lanes.cutFrom(claimed);
      return refused || claimed.lane.returning > 0 ? lanes.empty(claimed.lane) : null;
    }
    if (this.#parts.keeper.stops(claimed) || this.#parts.routeKeeper.stops(claimed)) return lanes.cutFrom(claimed);
    const { key } = claimed.lane;
    const left = kind !== "stream" && kind !== "followed" && key !== null && withheld.wasFreed(key);
    const overtakes = kind !== "retry" && (left || wentBack.isBefore(claimed.message));
    const blocked =
      overtakes || (claimed.retry ? this.#isBehind(claimed.message) : this.#isBlocked(claimed.message, kind));
    return blocked || refused || claimed.lane.returning > 0 ? lanes.empty(claimed.lane) : null;
  }

  /**
   * True if an earlier message of its aggregate waits for a retry, so that this one waits too: an operator retried the
   * earlier one after the claim was requested. The retries may have been read since without this message, which is then
   * added.
   */
  #isBehind({ id, aggregateKey, eventType, order }: OutgoingMessage): boolean {
    const { retries } = this.#state;
    if (aggregateKey === null || !retries.earlier(aggregateKey, order, this.#context.table.compareOrder)) return false;
    if (!retries.has(id)) retries.add(id, { aggregateKey, eventType, order, dueAtMs: performance.now() });
    return true;
  }

  #isBlocked({ id, aggregateKey: key }: OutgoingMessage, kind: ClaimKind): boolean {
    const { withheld } = this.#state;
    if (this.#parts.quarantine.has(id)) return true;
    return key !== null && (kind === "followed" ? withheld.stopsFollowed(key) : withheld.stops(key));
  }

  async #countLate(ids: string[]): Promise<void> {
    const { table, stats, log } = this.#context;
    try {
      const known = new Set(await table.withHistory(ids));
      stats.lateCommits += ids.filter((id) => !known.has(id)).length;
    } catch (error) {
      log.debug({ err: error }, "late commits could not be distinguished from retries");
    }
  }
}
