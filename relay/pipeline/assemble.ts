import type { MessageOutcome } from "#db/outbox/settle.ts";
import { type OpenedFeed, openFeed } from "../stream/open-feed.ts";
import { Aftermath, type Undo } from "./aftermath.ts";
import type { Breaker } from "./breaker.ts";
import { Claimer } from "./claimer.ts";
import { Intake } from "./intake.ts";
import { Judge } from "./judge.ts";
import { type Held, Lanes } from "./lanes.ts";
import { LowWaterMark } from "./low-water-mark.ts";
import { PauseKeeper } from "./pause-keeper.ts";
import { Pauses } from "./pauses.ts";
import type { PipelineContext } from "./pipeline-context.ts";
import { Publisher } from "./publisher.ts";
import { Quarantine } from "./quarantine.ts";
import { Retries } from "./retries.ts";
import { Room } from "./room.ts";
import { RouteKeeper } from "./route-keeper.ts";
import type { Routes } from "./routes.ts";
import { Settler } from "./settler.ts";
import type { TypeSkipEvents } from "./type-skip.ts";
import { WentBack } from "./went-back.ts";
import { Withheld } from "./withheld.ts";

/** What the parts ask of the pipeline they are of. */
export interface PipelineEvents {
  /** The outcome of a message stands. */
  decide(held: Held, outcome: MessageOutcome): void;
  /** Attempts that were the sink's fault. */
  undo(undo: Undo[]): void;
  /** Nothing more can be published at this moment. */
  quiet(): void;
  pause(paused: boolean): void;
  /** `times`: how often in a row. */
  claimFailed(error: unknown, times: number): void;
  lost(error: Error): void;
  /** Not paused, not stopping, and the lease lasts. */
  mayPublish(): boolean;
  /** What is claimed now goes back. */
  takesNothing(): boolean;
}

export interface PipelineParts {
  lanes: Lanes;
  mark: LowWaterMark;
  retries: Retries;
  breaker: Breaker;
  routes: Routes;
  settler: Settler;
  publisher: Publisher;
  claimer: Claimer;
  judge: Judge;
  aftermath: Aftermath;
  quarantine: Quarantine;
  keeper: PauseKeeper;
  /** Null for a relay that polls. */
  stream: OpenedFeed | null;
}

/** Makes the parts of one term's pipeline and ties them together: none of them knows the others but by these events. */
export function assemble(context: PipelineContext, events: PipelineEvents): PipelineParts {
  const state = createState(context);
  const { lanes, mark, retries, breaker, routes } = state;
  const wake = () => claimer.wake();

  const settler = new Settler(context, lanes, (batch, result) => {
    aftermath.settled(batch, result);
    stream?.feed.settled(batch, new Set(result.fenced));
    claimer.wakeForRoom();
  });
  const judge = new Judge(context, state, {
    decide: events.decide,
    undo: events.undo,
    works: wake,
    keeper: () => routeKeeper,
  });
  const aftermath = new Aftermath(context, state, judge, wake);
  const publisher = new Publisher(context, lanes, {
    onOutcome: (held, outcome, timing) => judge.judge(held, outcome, timing),
    onQuiet: events.quiet,
  });
  const stream = openFeed({
    context,
    state,
    accept: (claim, stale) => {
      intake.accept(claim, "stream", stale);
      room.crowd(claim);
    },
    wake,
  });
  const claimed = { ...state, ...(stream ? { feed: stream.feed } : {}) };
  const room = new Room(context, claimed, {
    mostAtOnce: () => quarantine.batchLimit,
    giveBack: (messages) => judge.giveBack(messages),
  });
  const claimer = new Claimer(context, claimed, room, {
    accept: (claim, kind) => intake.accept(claim, kind),
    mayClaim: () => !settler.failing && events.mayPublish(),
    settleFails: () => settler.failing,
    skipsRetry: (id) => quarantine.has(id) || keeper.stopsRetry(id) || routeKeeper.stopsRetry(id),
    types: {
      waits: (message) => keeper.waits(message) || routeKeeper.waits(message),
      meet: (message) => meet(message),
    },
    nothingElse: () => judge.nothingElse(),
    probeRoutes: (nowMs) => routeKeeper.step(nowMs),
    onError: events.claimFailed,
  });
  const quarantine = new Quarantine(
    context,
    state,
    { judge, publisher },
    {
      mayPublish: events.mayPublish,
      waits: (message) => state.pauses.covers(message) || routes.holding(message) !== null,
      wake,
      lost: events.lost,
    },
  );
  const keeper = new PauseKeeper(context, state, judge, {
    outbox: events.pause,
    refreshRetries: () => aftermath.refreshRetries(),
    wake,
  });
  const routeKeeper = new RouteKeeper(context, state, judge, {
    accept: (claim) => intake.accept(claim, "route"),
    waits: (message) => quarantine.has(message.id) || state.pauses.covers(message),
    wake,
  });
  const meet: TypeSkipEvents["meet"] = (message) => {
    keeper.meet(message);
    routeKeeper.meet(message);
  };
  const parts = { judge, publisher, quarantine, keeper, routeKeeper };
  const intake = new Intake(context, state, parts, events.takesNothing);
  return {
    lanes,
    mark,
    retries,
    breaker,
    routes,
    settler,
    publisher,
    claimer,
    judge,
    aftermath,
    quarantine,
    keeper,
    stream,
  };
}

/** What the parts share of the term's messages. */
function createState({ table, memory }: PipelineContext) {
  const compare = table.compareOrder;
  const mark = new LowWaterMark(compare);
  return {
    lanes: new Lanes(compare),
    mark,
    withheld: new Withheld(compare, () => mark.readFrom),
    wentBack: new WentBack(compare),
    retries: new Retries(),
    pauses: new Pauses(),
    breaker: memory.breaker,
    routes: memory.routes,
    late: memory.late,
    falls: memory.falls,
  };
}
