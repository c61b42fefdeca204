import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Failure } from "#domain/failure.ts";
import { ABORTED, PUBLISHED, type PublishOutcome, unsent } from "#relay/sinks/sink.ts";
import { makeMessage } from "#relay/testing/make-message.fixture.ts";
import { BROKEN, DOWN, FAILED, NO_LEADER, openHandler } from "./outcome-handler.fixture.ts";

test.each([
  ["aborted", ABORTED],
  ["failed", FAILED],
  ["published", PUBLISHED],
] as const)("what comes late to a term that is over, %s, does not end the probe of the next term", (_, outcome) => {
  const { outcomes, lanes, memory } = openHandler();
  const claimed = lanes.add(makeMessage(1), "token", false);
  lanes.takeAlone(claimed);
  memory.breaker.open(DOWN, 0);
  outcomes.stop();
  // The next term probes with another message, while a call of this one is still with the sink.
  memory.breaker.beginProbe("order/b");
  lanes.finish(claimed);
  outcomes.handle(claimed, outcome, { startedAt: new Date(0), startedMs: 0, durationMs: 1 });
  expect([memory.breaker.isOpen, memory.breaker.probing]).toEqual([true, true]);
});

test("a try from before an outage of the sink is taken back too once the message's route is at fault", () => {
  const { breaker, outcomes, takenBack, tries } = openHandler();
  const broken = { eventType: "broken" };
  const soon = performance.now();
  tries(1, BROKEN, soon, broken);
  outcomes.noMoreEvidence();
  tries(7, PUBLISHED, soon + 1000, { eventType: "fine" });
  tries(1, BROKEN, soon + 2000, { ...broken, attempts: 1 });
  outcomes.noMoreEvidence();
  tries(2, BROKEN, soon + 3000, { eventType: "second" });
  tries(3, BROKEN, soon + 3000, { eventType: "third" });
  const [one] = [{ id: makeMessage(1).id, tries: 1, charged: 1 }];
  expect([breaker.isOpen, takenBack]).toEqual([true, [one]]);
  breaker.beginProbe("order/a8", "fine");
  tries(8, PUBLISHED, soon + 4000, { eventType: "fine" });
  expect([breaker.isOpen, takenBack]).toEqual([false, [one]]);
  tries(4, BROKEN, soon + 5000, broken);
  tries(5, BROKEN, soon + 5000, broken);
  expect(takenBack).toEqual([one, one]);
  outcomes.stop();
});

test("a sink that goes down after a message that fails in another way is down since its own first failure", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { outcomes, breaker, tries } = openHandler();
  vi.advanceTimersByTime(1_000);
  tries(1, BROKEN, performance.now());
  vi.advanceTimersByTime(8_000);
  const downMs = performance.now();
  for (const n of [2, 3, 4]) tries(n, FAILED, downMs);
  vi.advanceTimersByTime(2_000);
  outcomes.stop();
  expect(breaker.isOpen).toBe(true);
  expect(breaker.since.monoMs).toBe(downMs);
});

const NO_TOPIC: PublishOutcome = {
  kind: "failed",
  failure: { code: "unroutable", kind: "route", message: "UNKNOWN_TOPIC_OR_PARTITION for the topic orders" },
};

test("one message whose topic is missing proves its route at fault once another gets through", () => {
  const { outcomes, breaker, blamed, decided, tries } = openHandler();
  const soon = performance.now();
  tries(1, NO_TOPIC, soon, { eventType: "lost" });
  tries(2, PUBLISHED, soon + 1000, { eventType: "fine" });
  outcomes.stop();
  expect([blamed, decided]).toEqual([["lost"], ["2 published", "1 given_back"]]);
  expect(breaker.isOpen).toBe(false);
});

test("the error of a route that works again no longer counts as the relay's last one", () => {
  const { outcomes, routes, stats, tries } = openHandler();
  const soon = performance.now();
  const lost = makeMessage(1, { eventType: "lost" });
  tries(1, NO_TOPIC, soon, { eventType: "lost" });
  tries(2, PUBLISHED, soon + 1000, { eventType: "fine" });
  const route = routes.failed(lost, DOWN, soon) ?? routes.atFault(lost, soon + 60_000);
  route?.breaker.open(DOWN, soon);
  const probe = (n: number, outcome: PublishOutcome, atMs: number) => {
    if (route) route.probeId = makeMessage(n).id;
    tries(n, outcome, atMs, { eventType: "lost" });
  };
  probe(3, NO_LEADER, soon + 2000);
  expect(stats.lastError).toMatch(/^LEADER_NOT_AVAILABLE/);
  probe(4, PUBLISHED, soon + 3000);
  outcomes.stop();
  expect([stats.lastError, stats.lastErrorAt]).toEqual([null, null]);
});

test("a type whose topic is deleted is held back once nothing of it has got through for ten seconds", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { outcomes, blamed, tries } = openHandler();
  const [now, own, other] = [() => performance.now(), { eventType: "own" }, { eventType: "other" }];
  tries(9, PUBLISHED, now(), own);
  for (const seconds of [1, 5, 5]) {
    vi.advanceTimersByTime(seconds * 1000);
    tries(1, NO_TOPIC, now(), own);
    tries(2, PUBLISHED, now() + 1, other);
    if (seconds === 1) expect(blamed).toEqual([]);
  }
  outcomes.stop();
  expect(blamed).toEqual(["own"]);
});

test("a message whose topic is missing waits alone and loses no attempt while others of its type get through", () => {
  const { outcomes, blamed, decided, tries } = openHandler();
  const soon = performance.now();
  for (let round = 0; round < 5; round += 1) {
    tries(1, NO_TOPIC, soon + round, { eventType: "mixed" });
    tries(2 + round, PUBLISHED, soon + 1000 + round, { eventType: "mixed" });
  }
  outcomes.stop();
  expect(decided.filter((one) => one.startsWith("1 ")).slice(1)).toEqual(Array(4).fill("1 failed, spared"));
  expect(blamed).toEqual([]);
});

test("no answer to the only aggregate is an outage of the sink, and burns nothing; an answered error may be the message's", () => {
  const late: Failure = { code: "timeout", kind: "ambiguous", message: "no answer within 2 s" };
  const { outcomes, breaker, decided, tries } = openHandler();
  tries(1, { kind: "failed", failure: late }, performance.now());
  outcomes.noMoreEvidence();
  expect([breaker.isOpen, decided]).toEqual([true, ["1 given_back"]]);
  outcomes.stop();
  const other = openHandler();
  other.tries(1, BROKEN, performance.now());
  other.outcomes.noMoreEvidence();
  other.outcomes.stop();
  expect([other.breaker.isOpen, other.decided]).toEqual([false, ["1 failed"]]);
});

test("a topic that is missing for everything is an outage of the sink", () => {
  const { outcomes, breaker, decided, tries } = openHandler();
  tries(1, NO_TOPIC, performance.now());
  outcomes.noMoreEvidence();
  expect([breaker.isOpen, decided]).toEqual([true, ["1 given_back"]]);
  outcomes.stop();
});

test.each([
  ["whose topic is missing", NO_TOPIC, 1],
  ["that the sink refuses as if it were down", FAILED, 3],
])("a message %s opens the breaker no more once others got through each time it closed", (_, outcome, times) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { outcomes, breaker, tries } = openHandler();
  const soon = performance.now();
  for (let n = 0; n < times; n += 1) {
    vi.advanceTimersByTime(2000);
    tries(1, outcome, soon, { eventType: "lost" });
    outcomes.noMoreEvidence();
    expect(breaker.isOpen).toBe(true);
    breaker.beginProbe("order/a2", "fine");
    tries(2 + n, PUBLISHED, soon + 1000, { eventType: "fine" });
  }
  vi.advanceTimersByTime(2000);
  tries(1, outcome, soon, { eventType: "lost" });
  outcomes.noMoreEvidence();
  outcomes.stop();
  expect(breaker.isOpen).toBe(false);
});

test("a message whose route fails again and again with nothing beside it is spared still", () => {
  const { outcomes, decided, tries } = openHandler();
  const soon = performance.now();
  for (let round = 0; round < 3; round += 1) {
    tries(1, NO_TOPIC, soon + round, { eventType: "mixed" });
    tries(2 + round, PUBLISHED, soon + 1000 + round, { eventType: "mixed" });
  }
  decided.length = 0;
  tries(1, NO_TOPIC, soon + 3000, { eventType: "mixed" });
  outcomes.noMoreEvidence();
  outcomes.stop();
  expect(decided).toEqual(["1 failed, spared"]);
});

describe("a message that cannot be sent", () => {
  const TOO_LARGE: Failure = { code: "too_large", kind: "message", message: "Its header name is too long" };

  test("says nothing about a sink that is down", () => {
    const { outcomes, breaker, decided, tries } = openHandler();
    breaker.open(DOWN, 0);
    breaker.beginProbe("order/a1", "large");
    tries(1, unsent(TOO_LARGE), performance.now());
    outcomes.stop();
    expect([breaker.isOpen, breaker.probing, decided]).toEqual([true, false, ["1 dead"]]);
  });

  test("clears no failure of another, while the same refusal of the sink does", () => {
    for (const [outcome, left] of [
      [unsent(TOO_LARGE), ["3 dead"]],
      [{ kind: "failed", failure: TOO_LARGE }, ["3 dead", "1 failed", "2 failed"]],
    ] as const) {
      const { outcomes, decided, tries } = openHandler();
      for (const n of [1, 2]) tries(n, BROKEN, performance.now());
      tries(3, outcome, performance.now() + 1);
      outcomes.stop();
      expect(decided).toEqual(left);
    }
  });
});
