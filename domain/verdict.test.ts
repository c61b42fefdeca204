import { describe, expect, test } from "vitest";
import { type VerdictInput, verdictOf } from "./verdict.ts";

const NONE = { eventTypes: 0, aggregates: 0, holds: 0 };
const RELAY = {
  alive: 1,
  heartbeatAgeSeconds: 1,
  lastState: "owner",
  breaker: null,
  paused: null,
  lastError: null,
  partialPauses: NONE,
};
const HEALTHY: VerdictInput = {
  waiting: 12,
  waitingKnown: true,
  failed: 0,
  dead: 0,
  oldestSeconds: 0.4,
  oldestClaimSeconds: null,
  warnSeconds: 60,
  failSeconds: 300,
  deadWarn: 1,
  deadFail: 100,
  inPerSecond: 5,
  outPerSecond: 5,
  failuresPerSecond: 0,
  relay: RELAY,
  blockedAggregates: 0,
  asOf: "2026-03-01T10:00:00.000Z",
};
const verdict = (change: Partial<VerdictInput> = {}) => verdictOf({ ...HEALTHY, ...change });
const BREAKER = {
  sink: "hook",
  code: "unreachable",
  message: "the sink refuses connections",
  since: "2026-03-01T09:50:00Z",
};

describe("one word, with its cause and the page that helps", () => {
  test("healthy", () => {
    expect(verdict()).toMatchObject({ word: "delivering", status: "pass", cause: null, since: null, next: null });
    expect(verdict().evidence).toBe("12 messages wait, the oldest 0.4 s (limit 5 m 00 s). In 5.0/s, out 5.0/s.");
    expect(verdict({ waiting: 0, oldestSeconds: null }).evidence).toContain("Nothing waits.");
  });

  test("a young backlog of someone else's relay is not called delivering while nothing shows that it goes out", () => {
    const observed = { relay: null, outPerSecond: null, inPerSecond: null };
    expect(verdict(observed)).toMatchObject({ status: "pass", title: "Within its limits" });
    expect(verdict({ ...observed, waiting: 0, oldestSeconds: null }).title).toBe("Delivering");
    expect(verdict({ relay: null }).title).toBe("Delivering");
  });

  test("late", () => {
    expect(verdict({ oldestSeconds: 60 })).toMatchObject({
      word: "late",
      status: "warn",
      since: "2026-03-01T09:59:00.000Z",
    });
    expect(verdict({ oldestSeconds: 59.9 }).word).toBe("delivering");
  });

  test("overdue, and nothing goes out", () => {
    expect(verdict({ oldestSeconds: 300, outPerSecond: 0 })).toMatchObject({
      word: "not_delivering",
      status: "fail",
      cause: "work waits and nothing goes out",
      next: { page: "stuck" },
    });
    expect(verdict({ oldestSeconds: 300, relay: null, outPerSecond: null }).word).toBe("not_delivering");
  });

  test("breaker: the sink is the cause, since when it opened", () => {
    expect(verdict({ relay: { ...RELAY, breaker: BREAKER }, oldestSeconds: 1000 })).toMatchObject({
      word: "not_delivering",
      status: "fail",
      cause: expect.stringContaining(BREAKER.message),
      since: BREAKER.since,
    });
  });

  test("no relay, ever or any more", () => {
    expect(verdict({ relay: { ...RELAY, alive: 0, heartbeatAgeSeconds: null } })).toMatchObject({
      word: "not_delivering",
      cause: "no relay is alive, no relay has ever reported",
      since: null,
    });
    expect(verdict({ relay: { ...RELAY, alive: 0, heartbeatAgeSeconds: 90 } })).toMatchObject({
      since: "2026-03-01T09:58:30.000Z",
      next: { page: "relays" },
    });
  });

  test("paused on purpose comes before everything", () => {
    const paused = { reason: "migration", by: "olga", until: "2026-03-01T11:30:00.000Z" };
    const { word, status, cause } = verdict({
      relay: { ...RELAY, alive: 0, breaker: BREAKER, paused },
      oldestSeconds: 1e6,
    });
    expect([word, status, cause]).toEqual(["paused", "warn", "olga: migration (until 11:30 UTC)"]);
  });

  test("a blocked aggregate while others flow", () => {
    expect(verdict({ oldestSeconds: 400, blockedAggregates: 2 })).toMatchObject({
      word: "late",
      status: "fail",
      cause: "2 aggregates blocked behind a failed message",
      next: { page: "failed" },
    });
  });

  test("dead letters, few and many", () => {
    expect(verdict({ dead: 1 })).toMatchObject({
      word: "delivering",
      status: "warn",
      cause: "1 message given up on",
      next: { page: "dead" },
    });
    expect(verdict({ dead: 100 })).toMatchObject({ word: "delivering", status: "fail" });
    expect(verdict({ dead: 5000, deadWarn: 0, deadFail: 0 }).status).toBe("pass");
  });

  test("what is paused or held is why the oldest waits, also when nothing else is there to go out", () => {
    const holds = { ...RELAY, partialPauses: { ...NONE, holds: 2 } };
    expect(verdict({ relay: holds })).toMatchObject({ status: "pass" });
    expect(verdict({ relay: holds, oldestSeconds: 90, outPerSecond: 0 })).toMatchObject({
      title: "Delivering, but not everything",
      status: "warn",
      cause: "2 aggregates are held behind dead messages",
      next: { page: "relays" },
    });
    const types = { ...RELAY, partialPauses: { ...NONE, eventTypes: 1 } };
    expect(verdict({ relay: types, oldestSeconds: 400, outPerSecond: 0 })).toMatchObject({
      status: "fail",
      cause: "1 event type is paused",
    });
  });

  test("a batch that is held for long", () => {
    expect(verdict({ oldestClaimSeconds: 400, oldestSeconds: null })).toMatchObject({
      word: "not_delivering",
      status: "fail",
    });
  });

  test("not known is not fine", () => {
    const unknown = verdict({ waitingKnown: false, waiting: 0, oldestSeconds: null });
    expect(unknown).toMatchObject({ word: "unknown", status: "warn" });
    expect(unknown.evidence).not.toContain("Nothing waits");
  });
});
