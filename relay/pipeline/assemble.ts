import type { MessageOutcome, Refund } from "#db/stores/port/relay/settle.ts";
import { type OpenedFeed, openFeed } from "../stream/open-feed.ts";
import { ClaimCapacity } from "./claim/claim-capacity.ts";
import { Claimer } from "./claim/claimer.ts";
import { Intake } from "./claim/intake.ts";
import { RowsBeforeHeads } from "./claim/read/rows-before-heads.ts";
import type { TypeSkipEvents } from "./claim/read/type-skip.ts";
import { OutcomeHandler } from "./publish/outcome-handler.ts";
import { PauseKeeper } from "./publish/pause-keeper.ts";
import { PausedHeads } from "./publish/paused-heads.ts";
import { Publisher } from "./publish/publisher.ts";
import { Quarantine } from "./publish/quarantine.ts";
import { RouteKeeper } from "./publish/route-keeper.ts";
import { SettleEffects } from "./settle/settle-effects.ts";
import { Settler } from "./settle/settler.ts";
import type { Breaker } from "./state/breaker.ts";
import { type ClaimedMessage, Lanes } from "./state/lanes/lanes.ts";
import { Pauses } from "./state/pauses.ts";
import type { PipelineContext } from "./state/pipeline-context.ts";
import { Release } from "./state/release.ts";
import { Retries } from "./state/retries.ts";
import type { Routes } from "./state/routes.ts";
import { Watermark } from "./state/watermark.ts";
import { WentBack } from "./state/went-back.ts";
import { Withheld } from "./state/withheld.ts";

/** Calls from the parts to their pipeline. */
export interface PipelineEvents {
  /** The outcome of a message is decided. */
  decide(claimed: ClaimedMessage, outcome: MessageOutcome): void;
  /** Refunds attempts that were the fault of the sink or a route. */
  refundAttempts(tries: Refund[]): void;
  /** A round of outcomes is handled, and nothing more can be published right now. */
  quiet(): void;
  pause(paused: boolean): void;
  /** `times`: failures in a row. */
  claimFailed(error: unknown, times: number): void;
  lost(error: Error): void;
  /** True unless paused, stopping or past the lease. */
  mayPublish(): boolean;
  /** True while paused or stopping: messages claimed now go back. */
  takesNothing(): boolean;
}

export interface PipelineParts {
  lanes: Lanes;
  watermark: Watermark;
  retries: Retries;
  breaker: Breaker;
  routes: Routes;
  settler: Settler;
  publisher: Publisher;
  claimer: Claimer;
  outcomes: OutcomeHandler;
  effects: SettleEffects;
  quarantine: Quarantine;
  keeper: PauseKeeper;
  pausedHeads: PausedHeads;
  rowsBeforeHeads: RowsBeforeHeads;
  /** Null for a relay that polls. */
  stream: OpenedFeed | null;
}

/** Creates and connects the parts of one term's pipeline. */
export function assemble(context: PipelineContext, events: PipelineEvents): PipelineParts {
  const state = createState(context);
  const { lanes, watermark, retries, breaker, routes } = state;
  const wake = () => claimer.wake();

  const settler = new Settler(context, lanes, (batch, result) => {
    effects.settled(batch, result);
    stream?.feed.settled(batch, new Set(result.fenced));
    // Lanes may have waited for these outcomes.
    publisher.pump();
    claimer.wakeForRoom();
  });
  const outcomes = new OutcomeHandler(context, state, {
    decide: events.decide,
    refundAttempts: events.refundAttempts,
    works: wake,
    keeper: () => routeKeeper,
  });
  const effects = new SettleEffects(context, state, outcomes, wake);
  const publisher = new Publisher(context, lanes, {
    onOutcome: (claimed, outcome, timing) => outcomes.handle(claimed, outcome, timing),
    onQuiet: events.quiet,
  });
  const stream = openFeed({
    context,
    state,
    accept: (claim, stale) => {
      intake.accept(claim, "stream", stale);
      capacity.crowd(claim);
    },
    wake,
  });
  const claimed = { ...state, ...(stream ? { feed: stream.feed } : {}) };
  const capacity = new ClaimCapacity(context, claimed, {
    mostAtOnce: () => quarantine.batchLimit,
    giveBack: (messages) => outcomes.giveBack(messages),
  });
  const claimer = new Claimer(context, claimed, capacity, {
    accept: (claim, kind, stale) => intake.accept(claim, kind, stale),
    mayClaim: () => !settler.failing && events.mayPublish(),
    settleFails: () => settler.failing,
    skipsRetry: (id) => quarantine.has(id) || keeper.stopsRetry(id) || routeKeeper.stopsRetry(id),
    types: {
      waits: (message) => keeper.waits(message) || routeKeeper.waits(message),
      meet: (message) => meet(message),
    },
    outcomes,
    probeRoutes: (nowMs) => routeKeeper.step(nowMs),
    onError: events.claimFailed,
  });
  const quarantine = new Quarantine(
    context,
    state,
    { outcomes, publisher },
    {
      mayPublish: events.mayPublish,
      waits: (message) => state.pauses.covers(message) || routes.openRouteOf(message) !== null,
      meet: (message) => meet(message),
      wake,
      lost: events.lost,
    },
  );
  const keeper = new PauseKeeper(context, state, outcomes, {
    outbox: events.pause,
    refreshRetries: () => effects.refreshRetries(),
    wake,
  });
  const pausedHeads = new PausedHeads(context, state, { waits: (message) => keeper.waits(message), wake });
  const routeKeeper = new RouteKeeper(context, state, {
    accept: (claim) => intake.accept(claim, "route"),
    giveBack: (messages) => outcomes.giveBack(messages),
    waits: (message) => quarantine.has(message.id) || state.pauses.covers(message),
    quarantined: (id) => quarantine.has(id),
    wake,
  });
  const meet: TypeSkipEvents["meet"] = (message) => {
    keeper.meet(message);
    routeKeeper.meet(message);
  };
  const parts = { outcomes, publisher, quarantine, keeper, routeKeeper };
  const intake = new Intake(context, state, parts, events.takesNothing);
  return {
    lanes,
    watermark,
    retries,
    breaker,
    routes,
    settler,
    publisher,
    claimer,
    outcomes,
    effects,
    quarantine,
    keeper,
    pausedHeads,
    rowsBeforeHeads: new RowsBeforeHeads(context, state),
    stream,
  };
}

/** State of the term's messages that the parts share. */
function createState({ table, memory }: PipelineContext) {
  const compare = table.compareOrder;
  const watermark = new Watermark(compare);
  // With the log as the only source, there are no rows to claim.
  const follows = table.claimFollowers !== undefined && table.stream?.mark !== "none";
  const withheld = new Withheld(
    compare,
    () => watermark.readFrom,
    () => watermark.position,
    follows,
  );
  return {
    lanes: new Lanes(compare),
    watermark,
    withheld,
    release: new Release({ watermark, withheld }, compare, follows),
    wentBack: new WentBack(compare),
    retries: new Retries(),
    pauses: new Pauses(),
    breaker: memory.breaker,
    routes: memory.routes,
    late: memory.late,
    sinkFailures: memory.sinkFailures,
  };
}
