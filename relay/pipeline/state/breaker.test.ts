import { describe, expect, test } from "vitest";
import type { Failure } from "#domain/failure.ts";
import { DatabaseClock } from "#relay/clock/database-clock.ts";
import { Breaker } from "./breaker.ts";

const CLOCK = new DatabaseClock();
CLOCK.note({ askedAtMs: 0, answeredAtMs: 0, databaseTimeMs: 1_000_000 });
const WHOLE_DELAY = () => 0;
const DOWN: Failure = { code: "unavailable", kind: "environment", message: "HTTP 503" };

describe("the breaker", () => {
  test("holds, probes with growing delays up to ten seconds, and closes", () => {
    const breaker = new Breaker(WHOLE_DELAY);
    expect(breaker.open(DOWN, 0)).toBe(true);
    expect(breaker.open(DOWN, 10)).toBe(false);
    expect(breaker.isOpen).toBe(true);
    expect(breaker.probeInMs(0)).toBe(500);
    const delays = [];
    for (let now = 500, probe = 0; probe < 6; probe += 1) {
      breaker.beginProbe(`a${probe}`);
      expect(breaker.probeInMs(now)).toBe(Number.POSITIVE_INFINITY);
      breaker.probeFailed(DOWN, now);
      delays.push(breaker.probeInMs(now));
      now += breaker.probeInMs(now);
    }
    expect(delays).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
    expect(breaker.probed()).toHaveLength(6);
    breaker.close(100_000);
    expect(breaker.isOpen).toBe(false);
    expect(breaker.probed()).toEqual([]);
    expect(breaker.snapshot(100_000, CLOCK)).toBeNull();
  });

  test("keeps one text where its probes fail by turns, and tells a new one at once", () => {
    const of = (type: string): Failure => ({ ...DOWN, message: `No handler for ${type}` });
    const breaker = new Breaker(WHOLE_DELAY);
    breaker.open(of("a"), 0);
    const shown = (types: string) =>
      [...types].map((type) => {
        breaker.probeFailed(of(type), 0);
        return breaker.snapshot(0, CLOCK)?.message.at(-1);
      });
    expect(shown("bcabcabc").join("")).toBe("bcaaaaaa");
    expect(shown("dbb").join("")).toBe("dbb");
    expect(shown("eee").join("")).toBe("eee");
    breaker.probeFailed({ ...DOWN, code: "server_error", message: "b" }, 0);
    expect(breaker.snapshot(0, CLOCK)).toMatchObject({ code: "server_error", message: "b" });
  });

  test("goes on with its delay when it opens again at once, and begins anew later", () => {
    const breaker = new Breaker(WHOLE_DELAY);
    breaker.open(DOWN, 0);
    breaker.close(500);
    breaker.open(DOWN, 600);
    expect(breaker.probeInMs(600)).toBe(1000);
    breaker.close(2000);
    breaker.open(DOWN, 60_000);
    expect(breaker.probeInMs(60_000)).toBe(500);
  });

  test("comes back sooner each time to a sink that throttles after it has taken something", () => {
    const breaker = new Breaker(WHOLE_DELAY);
    const full: Failure = { code: "throttled", kind: "environment", message: "the queue is full" };
    breaker.open(full, 0);
    for (const now of [500, 1500, 3500]) breaker.probeFailed(full, now);
    expect(breaker.probeInMs(3500)).toBe(4000);
    const delays = [8000, 10_100, 11_200, 11_800].map((now) => {
      breaker.close(now);
      breaker.open(full, now + 50);
      return breaker.probeInMs(now + 50);
    });
    expect(delays).toEqual([2000, 1000, 500, 500]);
  });

  test("spreads its probes, so that a sink that comes and goes in the same rhythm is met while it works", () => {
    const breaker = new Breaker(() => 1);
    breaker.open(DOWN, 0);
    expect(breaker.probeInMs(0)).toBe(500);
    for (let probe = 0; probe < 6; probe += 1) breaker.probeFailed(DOWN, 0);
    expect(breaker.probeInMs(0)).toBe(5000);
  });

  test("says that the sink worked in between, since the outage is said to last from its first failure", () => {
    const breaker = new Breaker(WHOLE_DELAY);
    const page: Failure = { ...DOWN, message: `HTTP 503: ${"<p>unavailable</p>".repeat(50)}` };
    const message = (nowMs: number) => breaker.snapshot(nowMs, CLOCK)?.message;
    breaker.open(DOWN, 0);
    expect(message(0)).toBe("HTTP 503");
    breaker.close(1000);
    breaker.open(DOWN, 4000);
    expect(message(4000)).toBe("HTTP 503; it worked briefly once in between");
    breaker.close(10_000);
    breaker.open(page, 14_000);
    expect(message(14_000)).toMatch(/^HTTP 503: <p>.{57} …; it worked briefly 2 times in between$/);
    breaker.close(20_000);
    breaker.open(DOWN, 60_000);
    expect(message(60_000)).toBe("HTTP 503");
  });

  test("waits as long as the sink asks", () => {
    const breaker = new Breaker(WHOLE_DELAY);
    breaker.open({ ...DOWN, code: "throttled", retryAfterMs: 7000 }, 0);
    expect(breaker.probeInMs(0)).toBe(7000);
  });

  test("an endpoint that answers every probe with an error goes on being an outage, and someone is asked to look", () => {
    const breaker = new Breaker(WHOLE_DELAY);
    const broken: Failure = { code: "server_error", kind: "ambiguous", message: "HTTP 500: no" };
    breaker.open(broken, 0);
    const probe = (aggregate: string | null, failure: Failure, nowMs: number) => {
      breaker.beginProbe(aggregate);
      breaker.probeFailed(failure, nowMs);
    };
    for (let now = 0; now < 9; now += 1) probe("a", broken, now);
    expect(breaker.snapshot(9, CLOCK)?.message).toBe("HTTP 500: no");
    probe("a", broken, 10);
    // Probes of a single aggregate prove little about the endpoint, so the message names the number of aggregates.
    expect(breaker.snapshot(10, CLOCK)?.message).toBe("HTTP 500: no; so did the last 10 probes of 1 aggregate");
    probe("b", broken, 11);
    expect(breaker.snapshot(11, CLOCK)?.message).toContain("so did the last 11 probes of 2 aggregates");
    expect(breaker.isOpen).toBe(true);
    probe("c", DOWN, 12);
    expect(breaker.snapshot(12, CLOCK)?.message).toBe("HTTP 503");
    for (let now = 20; now < 30; now += 1) probe(null, broken, now);
    expect(breaker.snapshot(30, CLOCK)?.message).toBe("HTTP 500: no; so did the last 10 probes");
  });

  test("an outage begins with its first failure, whatever its probes find, and a relapse goes on with it", () => {
    const breaker = new Breaker(WHOLE_DELAY);
    const since = (now: number) => Date.parse(breaker.snapshot(now, CLOCK)?.since ?? "") - 1_000_000;
    breaker.open(DOWN, 1000, 400);
    expect(since(1000)).toBe(400);
    breaker.probeFailed(DOWN, 1500);
    expect(since(1500)).toBe(400);
    breaker.close(9000);
    breaker.open(DOWN, 10_000);
    expect(since(10_000)).toBe(400);
    breaker.close(11_000);
    breaker.open(DOWN, 60_000, 59_000);
    expect(since(60_000)).toBe(59_000);
  });

  test("another fault right after an outage has a start of its own, and its probes go on with the delay", () => {
    const breaker = new Breaker(WHOLE_DELAY);
    const since = (now: number) => Date.parse(breaker.snapshot(now, CLOCK)?.since ?? "") - 1_000_000;
    breaker.open(DOWN, 1000);
    breaker.close(2000);
    breaker.open({ code: "auth", kind: "environment", message: "HTTP 401" }, 4000);
    expect(since(4000)).toBe(4000);
    expect(breaker.snapshot(4000, CLOCK)?.message).toBe("HTTP 401");
    expect(breaker.probeInMs(4000)).toBe(1000);
    breaker.close(5000);
    breaker.open(DOWN, 6000);
    expect(since(6000)).toBe(6000);
    breaker.close(7000);
    breaker.open({ ...DOWN, code: "unreachable", message: "ECONNREFUSED" }, 8000);
    expect(since(8000)).toBe(6000);
  });

  test("tries at once when somebody asks for it, also where the receiver asked for a long wait", () => {
    const breaker = new Breaker(WHOLE_DELAY);
    breaker.open({ ...DOWN, retryAfterMs: 3_600_000 }, 0);
    expect(breaker.probeInMs(1000)).toBe(3_599_000);
    breaker.probeNow(1000);
    expect(breaker.probeInMs(1000)).toBe(0);
    breaker.beginProbe("a");
    breaker.probeFailed(DOWN, 1000);
    expect(breaker.probeInMs(1000)).toBe(1000);
  });

  test("knows which event types have failed or probed", () => {
    const breaker = new Breaker(WHOLE_DELAY);
    breaker.open(DOWN, 0);
    breaker.noteTypes(["a", null]);
    breaker.beginProbe("x", "b");
    expect(breaker.probedTypes()).toEqual(["a", "b"]);
    breaker.forgetProbedTypes();
    expect(breaker.probedTypes()).toEqual([]);
    expect(breaker.probed()).toEqual(["x"]);
  });
});
