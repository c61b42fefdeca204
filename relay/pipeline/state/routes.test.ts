import { describe, expect, test } from "vitest";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { Failure } from "#domain/failure.ts";
import { DatabaseClock } from "#relay/clock/database-clock.ts";
import { Routes } from "./routes.ts";

const BROKEN: Failure = { code: "server_error", kind: "ambiguous", message: "HTTP 500" };
let made = 0;
const message = (eventType: string | null, aggregateKey: string | null = null, topic: string | null = null) => {
  made += 1;
  const place = { id: `m${made}`, aggregateKey, eventType, order: [String(made), `m${made}`] as const };
  return { ...place, topic, payloadKind: "json" } as OutgoingMessage;
};

describe("routes", () => {
  const failThree = (routes: Routes, type = "x", fromMs = 10) =>
    ["a", "b", "c"].map((key, n) => routes.failed(message(type, key), BROKEN, fromMs + n));

  test("a type is to blame once three aggregates fail and another type gets through, tried after the first failure", () => {
    const routes = new Routes();
    expect(failThree(routes)).toEqual([null, null, null]);
    expect(routes.succeeded(message("y", "d"), 9).toBlame).toEqual([]);
    const { toBlame } = routes.succeeded(message("y", "d"), 11);
    expect(toBlame).toMatchObject([{ kind: "event_type", name: "x", firstFailedMs: 10 }]);
  });

  test("two aggregates are not enough, whatever often they fail; nor is a success of the type forgotten", () => {
    const routes = new Routes();
    for (let at = 0; at < 9; at += 1) routes.failed(message("x", at % 2 === 0 ? "a" : "b"), BROKEN, at);
    expect(routes.succeeded(message("y"), 20).toBlame).toEqual([]);
    routes.succeeded(message("x", "c"), 21);
    routes.failed(message("x", "d"), BROKEN, 22);
    expect(routes.succeeded(message("y"), 30).toBlame).toEqual([]);
  });

  test("a failure that no other followed for half an hour is over: a later one begins anew", () => {
    const routes = new Routes();
    failThree(routes, "x", 10);
    const laterMs = 31 * 60_000;
    routes.failed(message("x", "d"), BROKEN, laterMs);
    expect(routes.succeeded(message("y"), laterMs + 1).toBlame).toEqual([]);
    for (const key of ["e", "f"]) routes.failed(message("x", key), BROKEN, laterMs + 2);
    const { toBlame } = routes.succeeded(message("y"), laterMs + 3);
    expect(toBlame).toMatchObject([{ name: "x", firstFailedMs: laterMs }]);
  });

  test("routes whose messages failed for good are forgotten, and a thousand are kept at most", () => {
    const routes = new Routes(({ topic }) => topic);
    for (let n = 0; n < 1500; n += 1) routes.failed(message(null, `a${n}`, `topic-${n}`), BROKEN, n);
    expect(routes.size).toBe(1000);
    routes.tidy(1499 + 30 * 60_000);
    expect(routes.troubled).toBe(true);
    routes.tidy(1500 + 30 * 60_000);
    expect(routes.troubled).toBe(false);
  });

  test("a success of a type that failed before clears the others: the sink was down", () => {
    const routes = new Routes();
    failThree(routes, "x");
    failThree(routes, "y");
    const back = message("y", "a");
    routes.sinkRecovered(back);
    expect(routes.succeeded(back, 50).toBlame).toEqual([]);
  });

  test("a type alone fails, with nothing else to try: it is the route where others got through right before", () => {
    const routes = new Routes();
    failThree(routes, "x", 20_000);
    expect(routes.onlyOneFailing()).toBeNull();
    routes.noteSuccess(message("y"), 19_000);
    expect(routes.onlyOneFailing()?.name).toBe("x");
    routes.failed(message("z"), BROKEN, 20_005);
    expect(routes.onlyOneFailing()).toBeNull();
  });

  test("messages without a type are told apart by their topic, where they have an aggregate to wait by", () => {
    const routes = new Routes(({ topic }) => topic);
    for (const key of ["a", "b", "c"]) routes.failed(message(null, key, "payments"), BROKEN, 10);
    expect(routes.failed(message(null, null, "payments"), BROKEN, 10)).toBeNull();
    const [route] = routes.succeeded(message(null, "d", "orders"), 11).toBlame;
    expect(route).toMatchObject({ kind: "topic", name: "payments" });
    route?.breaker.open(BROKEN, 12);
    expect(routes.openRouteOf(message(null, "e", "payments"))).toBe(route);
    expect(routes.openRouteOf(message(null, "e", "orders"))).toBeNull();
  });

  test("a success whose try began before the outage does not close its route; a later one does", () => {
    const routes = new Routes();
    failThree(routes);
    const [route] = routes.succeeded(message("y"), 14).toBlame;
    route?.breaker.open(BROKEN, 40, 10);
    expect(routes.succeeded(message("x", "slow"), 9).closed).toBeNull();
    expect(routes.openRouteOf(message("x"))).toBe(route);
    expect(routes.succeeded(message("x", "probe"), 50).closed).toBe(route);
  });

  test("a slow success of another type does not hide a later one", () => {
    const routes = new Routes();
    routes.failed(message("x", "a"), BROKEN, 10);
    routes.succeeded(message("y"), 11);
    routes.succeeded(message("y", "slow"), 5);
    routes.failed(message("x", "b"), BROKEN, 12);
    expect(routes.failed(message("x", "c"), BROKEN, 13)).toMatchObject({ name: "x" });
  });

  test("an open route says since when, and a success of it closes it", () => {
    const clock = new DatabaseClock();
    clock.note({ askedAtMs: 0, answeredAtMs: 0, databaseTimeMs: 1_000_000 });
    const routes = new Routes();
    failThree(routes);
    const [route] = routes.succeeded(message("y"), 11).toBlame;
    route?.breaker.open(BROKEN, 40, route.firstFailedMs ?? 0);
    expect(routes.outages(50, clock)).toMatchObject([
      { kind: "event_type", name: "x", code: "server_error", since: new Date(1_000_010).toISOString() },
    ]);
    expect(routes.failed(message("x", "e"), BROKEN, 60)).toBeNull();
    expect(routes.succeeded(message("x", "e"), 70).closed).toBe(route);
    if (route) routes.close(route, 71);
    expect(routes.outages(80, clock)).toEqual([]);
    routes.tidy(100_000);
    expect(routes.troubled).toBe(false);
  });
});
