import { pino } from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import type { Claim } from "#db/stores/port/relay/claim.ts";
import type { Head } from "#db/stores/port/relay/head.ts";
import type { SettleResult } from "#db/stores/port/relay/settle.ts";
import type { Failure } from "#domain/failure.ts";
import { compareOrder } from "#relay/testing/compare-order.fixture.ts";
import { makeMessage } from "#relay/testing/make-message.fixture.ts";
import { horizonOf } from "../../testing/horizon.fixture.ts";
import { SettleEffects } from "../settle/settle-effects.ts";
import { Breaker } from "../state/breaker.ts";
import { type ClaimedMessage, Lanes } from "../state/lanes/lanes.ts";
import { LateCommits } from "../state/late-commits.ts";
import { Pauses } from "../state/pauses.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import { RelayStats } from "../state/relay-stats.ts";
import { Release } from "../state/release.ts";
import { Retries } from "../state/retries.ts";
import { Routes } from "../state/routes.ts";
import { Watermark } from "../state/watermark.ts";
import { WentBack } from "../state/went-back.ts";
import { Withheld } from "../state/withheld.ts";
import { OutcomeHandler } from "./outcome-handler.ts";
import { RouteKeeper } from "./route-keeper.ts";

const BROKEN: Failure = { code: "server_error", kind: "ambiguous", message: "HTTP 500" };
const broken = (n: number, aggregateId: string) => makeMessage(n, { aggregateId, eventType: "broken" });
const GIVEN_BACK: SettleResult = { published: [], latenciesMs: [], fenced: [], foreign: [], replaced: [] };

/** One term's parts with a route at fault; the table records its claims. */
function openRoute(answer: (wanted: Head) => Claim | null = () => null, quarantined: ReadonlySet<string> = new Set()) {
  const asked: Head[] = [];
  const watermark = new Watermark(compareOrder);
  const withheld = new Withheld(compareOrder, () => watermark.readFrom);
  const state = {
    ...{ lanes: new Lanes(compareOrder), watermark, withheld },
    release: new Release({ watermark, withheld }, compareOrder, false),
    ...{ wentBack: new WentBack(compareOrder), retries: new Retries(), pauses: new Pauses(), breaker: new Breaker() },
    ...{ routes: new Routes(), late: new LateCommits(compareOrder), sinkFailures: new Map<string, number>() },
  };
  const claimHead = async ({ message }: { message: Head }) => {
    asked.push(message);
    return answer(message);
  };
  const context = {
    ...{ table: { compareOrder, claimHead, leaveOut: () => undefined }, log: pino({ level: "silent" }) },
    ...{ settings: { onFailure: "block" }, stats: new RelayStats(), published: () => undefined },
  } as unknown as PipelineContext;
  const nothing = () => undefined;
  const returned: ClaimedMessage[] = [];
  const outcomes = new OutcomeHandler(context, state, {
    ...{ decide: (claimed) => returned.push(claimed), refundAttempts: nothing, works: nothing, keeper: () => keeper },
  });
  const accepted: Claim[] = [];
  const keeper = new RouteKeeper(context, state, {
    giveBack: (messages) => outcomes.giveBack(messages),
    ...{ accept: (claim) => accepted.push(claim), waits: ({ id }) => quarantined.has(id), wake: nothing },
    quarantined: (id) => quarantined.has(id),
  });
  const effects = new SettleEffects(context, state, outcomes, nothing);
  for (const [n, key] of ["f1", "f2", "f3"].entries()) state.routes.failed(broken(900 + n, key), BROKEN, 10 + n);
  const [route] = state.routes.succeeded(makeMessage(999, { aggregateId: "fine" }), 20).toBlame;
  if (!route) throw new Error("The route is not to blame.");
  keeper.begin(route, []);
  /** Takes a message in, as a claim brings it: true when it may go out. */
  const takeIn = (claimed: ClaimedMessage) => {
    if (!keeper.stops(claimed)) return true;
    outcomes.giveBack(state.lanes.cutFrom(claimed));
    return false;
  };
  /** Messages that were given back are only in the table again. */
  const settle = () => {
    const batch = returned.splice(0).map((claimed) => ({ claimed, outcome: { kind: "given_back" } as const }));
    effects.settled(batch, GIVEN_BACK);
  };
  const due = () => performance.now() + 60_000;
  return { ...state, asked, accepted, keeper, outcomes, route, takeIn, settle, due };
}

describe("messages that come before one that waits for its route", () => {
  let open: ReturnType<typeof openRoute>;
  beforeEach(() => {
    open = openRoute();
  });
  const add = (...messages: ReturnType<typeof makeMessage>[]) =>
    messages.map((message) => open.lanes.add(message, "token", false));

  test("are read again at once when they went back to the table, and what waits is met again", () => {
    const { lanes, watermark, withheld, outcomes, takeIn, settle } = open;
    const [first, waits] = add(makeMessage(1), broken(2, "a"), makeMessage(3));
    expect([takeIn(first!), takeIn(waits!)]).toEqual([true, false]);
    settle();
    expect(withheld.isWithheldFor("order/a", "route")).toBe(true);
    const begun = watermark.begin();
    // The sink goes down, or the outbox is paused.
    outcomes.giveBack(lanes.emptyAll());
    settle();
    expect(withheld.has("order/a")).toBe(false);
    expect(watermark.generation).toBeGreaterThan(begun.generation);
    const [again, waitsAgain] = add(makeMessage(1), broken(2, "a"));
    expect([takeIn(again!), takeIn(waitsAgain!)]).toEqual([true, false]);
    settle();
    expect(withheld.isWithheldFor("order/a", "route")).toBe(true);
  });

  test("are not what follows it: its return frees nothing", () => {
    const { watermark, withheld, takeIn, settle } = open;
    const [waits] = add(broken(2, "a"), makeMessage(3));
    expect(takeIn(waits!)).toBe(false);
    const { generation } = watermark;
    settle();
    expect(withheld.isWithheldFor("order/a", "route")).toBe(true);
    expect(watermark.generation).toBe(generation);
  });

  test("stay with their aggregate while it waits for something else, and are read from their place then", () => {
    const { lanes, watermark, withheld, outcomes, takeIn, settle } = open;
    const horizon = horizonOf(9, 9);
    const read = { reached: makeMessage(5).order, more: true, horizon, aged: true, nowMs: performance.now() };
    watermark.noteRead({ begun: watermark.begin(), ...read });
    const [first, waits] = add(makeMessage(1), broken(2, "a"));
    takeIn(first!);
    takeIn(waits!);
    withheld.withhold("order/a", "suspect", makeMessage(4).order);
    outcomes.giveBack(lanes.emptyAll());
    settle();
    expect(withheld.isWithheldFor("order/a", "route")).toBe(false);
    expect(withheld.free("order/a", "suspect")?.from).toEqual(makeMessage(1).order);
  });

  test("are read again too when the type that waits behind them is paused on purpose", () => {
    const { lanes, withheld, outcomes, settle } = open;
    add(makeMessage(1));
    withheld.withhold("order/a", "paused_type", makeMessage(2).order);
    outcomes.giveBack(lanes.emptyAll());
    settle();
    expect(withheld.has("order/a")).toBe(false);
  });
});

describe("the probe of a route", () => {
  const waiting = (message: ReturnType<typeof makeMessage>, dueAtMs: number) => {
    const { aggregateKey, eventType, order } = message;
    return { aggregateKey, eventType, order, dueAtMs };
  };
  const later = () => performance.now() + 600;

  test("leaves alone what waits for its next attempt", async () => {
    const { asked, retries, route, keeper, withheld, due } = openRoute();
    route.waiting.clear();
    const failed = broken(1, "a");
    retries.add(failed.id, waiting(failed, due()));
    withheld.block("order/a", failed.order, true);
    await keeper.step(later());
    expect(asked).toEqual([]);
    expect(withheld.isBlocked("order/a")).toBe(true);
  });

  test("is of an aggregate that has not failed, while one waits", async () => {
    const fresh = broken(950, "fresh");
    const { asked, keeper, lanes, settle, takeIn } = openRoute(({ id }) => ({
      token: "token",
      messages: [id === fresh.id ? fresh : broken(900, "f1")],
    }));
    expect(takeIn(lanes.add(fresh, "token", false)!)).toBe(false);
    settle();
    await keeper.step(later());
    expect(asked.map(({ id }) => id)).toEqual([fresh.id]);
  });

  test("asks once for a retry that is due by our clock alone, and goes on to the next", async () => {
    const next = broken(2, "b");
    const { accepted, asked, retries, route, keeper } = openRoute(({ id }) =>
      id === next.id ? { token: "token", messages: [next] } : null,
    );
    route.waiting.clear();
    const failed = broken(1, "a");
    retries.add(failed.id, waiting(failed, performance.now() - 1));
    retries.add(next.id, waiting(next, performance.now() - 1));
    await keeper.step(later());
    expect(asked.map(({ id }) => id)).toEqual([failed.id, next.id]);
    expect(accepted).toHaveLength(1);
    expect(route.probeId).toBe(next.id);
  });

  test("does not forget that one waits for its route because its next attempt is not due", async () => {
    const { asked, retries, route, keeper, withheld, due } = openRoute();
    const [held] = route.waiting.values();
    const failed = broken(900, "f1");
    retries.add(failed.id, waiting(failed, due()));
    await keeper.step(later());
    expect(asked.map(({ id }) => id)).not.toContain(held!.id);
    expect(withheld.isWithheldFor("order/f1", "route")).toBe(true);
  });

  test("is left to quarantine where nothing else waits for the route, as neither would begin otherwise", async () => {
    const suspects = new Set([900, 901].map((n) => broken(n, "any").id));
    const { asked, route, keeper, routes, withheld } = openRoute(() => null, suspects);
    // The third waits behind a suspect of its aggregate.
    withheld.withhold("order/f3", "suspect", broken(899, "f3").order);
    const startMs = later();
    await keeper.step(startMs);
    expect([asked, route.waiting.size, routes.open()]).toEqual([[], 3, [route]]);
    await keeper.step(startMs + 60_000);
    expect([asked, routes.open(), withheld.keysFor("route")]).toEqual([[], [], []]);
  });

  test("forgets what an operator dealt with, so that what follows it is read", async () => {
    const { asked, route, keeper, withheld } = openRoute();
    await keeper.step(later());
    expect(asked).toHaveLength(3);
    expect(route.waiting.size).toBe(0);
    expect(withheld.size).toBe(0);
  });
});
